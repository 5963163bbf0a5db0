package budget

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// maxNumber bounds what is accepted, so that no arithmetic overflows: more nodes than any cluster has.
const maxNumber = 10_000_000

// Check tells what is wrong with a number that is an int or a percentage: "2" (quoted, without "%"),
// "", "%", negative numbers, fractions and percentages above 100 are errors. The text does not repeat the value: it stands behind it in a list of faults.
func Check(value intstr.IntOrString) error {
	_, err := Resolve(value, 0)
	return err
}

// Resolve returns the value as a count. A percentage is of total and is rounded up, as a DaemonSet's
// maxUnavailable is (apps/v1 RollingUpdateDaemonSet): ceil(percent × total / 100). 10% of 7 is 1, 10% of
// 15 is 2, 1% of 1 is 1, 5% of 288 is 15, and any percentage of 0 is 0.
func Resolve(value intstr.IntOrString, total int) (int, error) {
	switch value.Type {
	case intstr.Int:
		n := int(value.IntVal)
		if n < 0 || n > maxNumber {
			return 0, fmt.Errorf("must be between 0 and %d", maxNumber)
		}
		return n, nil
	case intstr.String:
		percent, err := parsePercent(value.StrVal)
		if err != nil {
			return 0, err
		}
		return (percent*total + 99) / 100, nil
	}
	return 0, fmt.Errorf("must be an int or a percentage")
}

func parsePercent(text string) (int, error) {
	digits, found := strings.CutSuffix(text, "%")
	if !found {
		return 0, fmt.Errorf("must be an int (without quotes) or a percentage such as \"5%%\"")
	}
	percent, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || percent > 100 {
		return 0, fmt.Errorf("must be a whole percentage between \"0%%\" and \"100%%\"")
	}
	return int(percent), nil
}
