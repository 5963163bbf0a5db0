package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// command is the command as a binary, made once.
var command = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "rollout")
	if err != nil {
		return "", err
	}
	binary := filepath.Join(dir, "rollout")
	build := exec.Command("go", "build", "-o", binary, "./examples/rollout")
	build.Dir = "../.."
	out, err := build.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return binary, err
})

// rollout runs the command in the folder of the snapshots. Its exit code is 1 of a rollout that ends blocked.
func rollout(t *testing.T, args ...string) []byte {
	t.Helper()
	binary, err := command()
	require.NoError(t, err)
	cmd := exec.Command(binary, append(args, "--quiet")...)
	cmd.Dir = "../snapshots"
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil {
		require.ErrorAs(t, err, &exit)
		require.Equal(t, 1, exit.ExitCode(), "%s", exit.Stderr)
	}
	require.NotEmpty(t, out)
	return out
}

// tab is a page that is open in a browser.
type tab struct {
	context.Context
	t    *testing.T
	lock sync.Mutex
	odd  []string // errors of the console, and requests that go anywhere
}

// open starts a browser of its own on the page.
func open(t *testing.T, text []byte, width, height int) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	require.NoError(t, err, "run the script install")
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	profile, err := os.MkdirTemp("", "profile")
	require.NoError(t, err)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.WSURLReadTimeout(2*time.Minute))
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, end := chromedp.NewContext(allocator)
	t.Cleanup(func() { // the browser ends first, and then its profile goes
		end()
		stop()
		_ = os.RemoveAll(profile)
	})
	require.NoError(t, chromedp.Do(ctx)) // starts it
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(cancel)
	p := &tab{Context: ctx, t: t}
	require.NoError(t, chromedp.Listen(ctx, p.note))
	p.call(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, network.Enable, network.EnableParams{})
		return err
	})
	p.do(chromedp.EmulateViewport(int64(width), int64(height)), chromedp.Navigate("file://"+file), chromedp.WaitReady(chromedp.CSS("body")))
	return p
}

func (p *tab) note(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = "exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		text = "console: " + string(e.Type)
		for _, arg := range e.Args {
			text += " " + string(arg.Value)
		}
	case *log.EventEntryAdded:
		text = "log: " + e.Entry.Text
	case *network.EventRequestWillBeSent:
		if to, err := url.Parse(e.Request.URL); err != nil || to.Scheme != "file" && to.Scheme != "data" {
			text = "request: " + e.Request.URL
		}
	}
	if text != "" {
		p.lock.Lock()
		defer p.lock.Unlock()
		p.odd = append(p.odd, text)
	}
}

// quiet requires that nothing was complained about and nothing loaded.
func (p *tab) quiet() {
	p.t.Helper()
	p.lock.Lock()
	defer p.lock.Unlock()
	require.Empty(p.t, p.odd)
}

func (p *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p, actions...))
}

// call sends commands of the protocol that have no action.
func (p *tab) call(f func(context.Context, *chromedp.Target) error) {
	p.t.Helper()
	p.do(chromedp.Func(f))
}

// eval is the value of an expression.
func eval[T any](p *tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p, chromedp.Evaluate[T](expression))
	require.NoError(p.t, err)
	return value
}

// prefer asks for light or dark, as a system's setting does.
func (p *tab) prefer(scheme string) { p.show("", scheme) }

// show shows the page on a medium.
func (p *tab) show(media, scheme string) {
	p.t.Helper()
	p.call(func(ctx context.Context, to *chromedp.Target) error {
		_, err := cdp.Call(ctx, to, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media,
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
		return err
	})
}

// shot is a picture of the whole page.
func (p *tab) shot() image.Image {
	p.t.Helper()
	text, err := chromedp.Run(p, chromedp.FullScreenshot(100))
	require.NoError(p.t, err)
	picture, err := png.Decode(bytes.NewReader(text))
	require.NoError(p.t, err)
	if dir := os.Getenv("SHOTS"); dir != "" {
		name := strings.NewReplacer("/", "-", " ", "-").Replace(p.t.Name())
		require.NoError(p.t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%s-%d.png", name, time.Now().UnixMilli())), text, 0o600))
	}
	return picture
}

// look is the number of colours of a picture, and its lightness from 0 to 1.
func look(picture image.Image) (colours int, lightness float64) {
	seen := map[[3]uint32]bool{}
	sum, pixels := 0.0, 0.0
	box := picture.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y += 2 {
		for x := box.Min.X; x < box.Max.X; x += 2 {
			r, g, b, _ := picture.At(x, y).RGBA()
			seen[[3]uint32{r >> 8, g >> 8, b >> 8}] = true
			sum, pixels = sum+0.2126*float64(r)+0.7152*float64(g)+0.0722*float64(b), pixels+0xffff
		}
	}
	return len(seen), sum / pixels
}

// has tells how many of a picture's pixels have that colour.
func has(picture image.Image, red, green, blue uint32) (pixels int) {
	box := picture.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); r>>8 == red && g>>8 == green && b>>8 == blue {
				pixels++
			}
		}
	}
	return pixels
}

// object reads JSON.
func object(t *testing.T, text []byte) (value map[string]any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(text, &value))
	return value
}

// small writes a picture as PNG with at most 256 colours: the most frequent ones, and of each other colour the nearest.
func small(picture image.Image) ([]byte, error) {
	counts := map[color.RGBA]int{}
	box := picture.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA) }
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			counts[at(x, y)]++
		}
	}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	palette := color.Palette{}
	for _, c := range order[:min(256, len(order))] {
		palette = append(palette, c)
	}
	nearest := map[color.RGBA]uint8{}
	out := image.NewPaletted(box, palette)
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			c := at(x, y)
			i, ok := nearest[c]
			if !ok {
				i = uint8(palette.Index(c))
				nearest[c] = i
			}
			out.SetColorIndex(x, y, i)
		}
	}
	var text bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&text, out)
	return text.Bytes(), err
}
