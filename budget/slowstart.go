package budget

import "time"

// Ramp returns the budget of a slow start: min(most, (1 + ⌊elapsed/interval⌋) × increase), and never less
// than 1 while most is at least 1. Worked example, most 50, increase 5, interval 1m: 5 until 59s, 10 from
// 60s on, 50 from 9m on. An interval of 0 or less means no slow start; a negative elapsed time is 0.
func Ramp(most, increase int, interval, elapsed time.Duration) int {
	if interval <= 0 {
		return most
	}
	steps := max(0, elapsed/interval)
	if increase < 1 {
		increase = 1
	}
	if int64(steps) >= int64(most/increase) {
		return most
	}
	return min(most, (1+int(steps))*increase)
}
