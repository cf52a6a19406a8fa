"""Student's t distribution for whole degrees of freedom, as far as intervals from few reports need it.

Abramowitz & Stegun, "Handbook of Mathematical Functions" (1964), 26.7.3 and 26.7.4: with theta = atan(t / sqrt(df)),

    P(|T| <= t) = 2/pi (theta + sin theta (cos theta + 2/3 cos^3 theta + 2/3 4/5 cos^5 theta + ...))     df odd
    P(|T| <= t) = sin theta (1 + 1/2 cos^2 theta + 1/2 3/4 cos^4 theta + ...)                            df even
"""

import math
from functools import lru_cache

_HIGHEST = 1e6


def within(t: float, degrees: int) -> float:
    """P(|T| <= t) of a T with so many degrees of freedom; t >= 0, degrees >= 1."""
    angle = math.atan2(t, math.sqrt(degrees))
    sine, cosine = math.sin(angle), math.cos(angle)
    odd = degrees % 2
    term, total = (cosine if odd else 1.0), 0.0
    for step in range(2 + odd, degrees + 1, 2):
        total += term
        term *= cosine * cosine * (step - 1) / step
    return 2 / math.pi * (angle + sine * total) if odd else sine * total


@lru_cache(maxsize=1024)
def bound(share: float, degrees: int) -> float:
    """The t with P(|T| <= t) = share, by bisection; 0 < share < 1."""
    low, high = 0.0, _HIGHEST
    for _ in range(100):
        middle = (low + high) / 2
        if within(middle, degrees) < share:
            low = middle
        else:
            high = middle
    return (low + high) / 2
