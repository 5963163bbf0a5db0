package budget

import (
	"math/big"
	"regexp"
	"testing"

	"k8s.io/apimachinery/pkg/util/intstr"
)

var percentText = regexp.MustCompile(`^[0-9]+%$`)

// slowly resolves a number with big integers, from the words of the doc comment.
func slowly(value intstr.IntOrString, total int64) (*big.Int, bool) {
	if value.Type == intstr.Int {
		n := big.NewInt(int64(value.IntVal))
		return n, n.Sign() >= 0 && n.Cmp(big.NewInt(maxNumber)) <= 0
	}
	if value.Type != intstr.String || !percentText.MatchString(value.StrVal) {
		return nil, false
	}
	percent, _ := new(big.Int).SetString(value.StrVal[:len(value.StrVal)-1], 10)
	if percent.Cmp(big.NewInt(100)) > 0 {
		return nil, false
	}
	up := new(big.Int).Mul(percent, big.NewInt(total))
	rest := new(big.Int)
	up.DivMod(up, big.NewInt(100), rest)
	if rest.Sign() > 0 {
		up.Add(up, big.NewInt(1))
	}
	return up, true
}

// go test -fuzz FuzzResolve ./budget
func FuzzResolve(f *testing.F) {
	for _, text := range []string{"5%", "100%", "101%", "0%", "2", "", "%", "+5%", "05%", " 5%", "-1%", "1.5%", "65536%", "99999999999999999999%", "٥%"} {
		f.Add(true, int32(0), text, uint32(7))
	}
	f.Add(false, int32(maxNumber), "", uint32(0))
	f.Add(false, int32(-1), "", uint32(maxNumber))
	f.Fuzz(func(t *testing.T, isText bool, number int32, text string, total uint32) {
		value := intstr.FromInt32(number)
		if isText {
			value = intstr.FromString(text)
		}
		total %= maxNumber + 1
		want, sound := slowly(value, int64(total))
		got, err := Resolve(value, int(total))
		if (err == nil) != sound || (Check(value) == nil) != sound {
			t.Fatalf("%q of %d: error %v, check %v, sound %v", value.String(), total, err, Check(value), sound)
		}
		if sound && want.Cmp(big.NewInt(int64(got))) != 0 {
			t.Fatalf("%q of %d is %d, not %d", value.String(), total, want, got)
		}
	})
}
