const GB = 1024 ** 3;

/** Bytes in GB, short but never rounded to 0. No model is empty: 0 bytes means that the size is not known. */
export function gigabytes(bytes: number | null): number | null {
  return bytes === null ? null : shortened(bytes / GB);
}

/** Two decimals, or two significant digits of a smaller number; null instead of 0. */
export function shortened(value: number | null): number | null {
  if (value === null || value <= 0) return null;
  return value < 0.1 ? Number(value.toPrecision(2)) : Math.round(value * 100) / 100;
}
