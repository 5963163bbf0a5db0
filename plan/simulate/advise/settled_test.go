package advise

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The search takes a smaller neighbour that keeps the deadline, and leaves a number that kept it by luck.
func TestSettled(t *testing.T) {
	keeps := func(numbers ...int) func(int) bool {
		return func(n int) bool {
			for _, number := range numbers {
				if number == n {
					return true
				}
			}
			return false
		}
	}
	for _, test := range []struct {
		found, want int
		keeps       func(int) bool
	}{
		{5, 5, keeps(5, 6, 7)},
		{5, 3, keeps(3, 4, 5, 6)},
		{5, 8, keeps(5, 8, 9)},
		{5, 11, keeps(5, 8, 11, 12)},
		{5, 5, keeps(5)},
		{12, 12, keeps(12)},
		{1, 1, keeps(1, 2)},
	} {
		require.Equal(t, test.want, settled(test.found, 12, test.keeps))
	}
}
