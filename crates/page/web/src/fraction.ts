// Exact fractions: what thermographs are made of.

export interface Fraction {
  readonly above: bigint;
  /** Positive, without a common factor. */
  readonly below: bigint;
}

export function fraction(above: bigint, below = 1n): Fraction {
  const sign = below < 0n ? -1n : 1n;
  const common = divisor(above < 0n ? -above : above, below * sign) || 1n;
  return { above: (above * sign) / common, below: (below * sign) / common };
}

/** Reads `3`, `-1/2`; null if the text is neither. */
export function readFraction(text: string): Fraction | null {
  const parts = /^(-?\d+)(?:\/(\d+))?$/.exec(text.trim());
  const below = BigInt(parts?.[2] ?? 1);
  return parts && below !== 0n ? fraction(BigInt(parts[1]!), below) : null;
}

export function textOf({ above, below }: Fraction): string {
  return below === 1n ? `${above}` : `${above}/${below}`;
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return fraction(a.above * b.below + b.above * a.below, a.below * b.below);
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { above: -b.above, below: b.below });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.above * b.above, a.below * b.below);
}

export function over(a: Fraction, b: Fraction): Fraction {
  return fraction(a.above * b.below, a.below * b.above);
}

function divisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : divisor(b, a % b);
}
