export type Rgb = readonly [red: number, green: number, blue: number];

/** A colour for a place from 0 to 1. */
export type Scale = (place: number) => Rgb;

export const INK: Rgb = [31, 41, 51];
export const MUTED: Rgb = [104, 116, 130];
export const GRID: Rgb = [229, 233, 238];
export const PAPER: Rgb = [255, 255, 255];
/** For values that are not numbers. */
export const BLANK: Rgb = [214, 218, 223];
/** Told apart by most colour-blind readers, in this order. */
export const SERIES: readonly Rgb[] = [
  [38, 103, 178],
  [217, 95, 30],
  [27, 148, 119],
  [158, 70, 156],
  [200, 150, 0],
  [90, 165, 220],
  [190, 55, 75],
  [110, 110, 110],
];

/** Dark blue over green to yellow: evenly brighter, so that it also reads in grey. */
export const sequential = scaleOf(
  [68, 1, 84],
  [71, 44, 122],
  [59, 81, 139],
  [44, 113, 142],
  [33, 144, 141],
  [39, 173, 129],
  [92, 200, 99],
  [170, 220, 50],
  [253, 231, 37],
);

/** Blue below zero, white at it, red above. */
export const diverging = scaleOf(
  [24, 74, 140],
  [52, 122, 183],
  [116, 173, 209],
  [187, 216, 234],
  [247, 247, 247],
  [250, 204, 178],
  [239, 138, 98],
  [208, 72, 68],
  [150, 16, 44],
);

function scaleOf(...stops: readonly Rgb[]): Scale {
  return (place) => {
    const at = Math.min(Math.max(place, 0), 1) * (stops.length - 1);
    const low = Math.min(Math.floor(at), stops.length - 2);
    return mix(stops[low]!, stops[low + 1]!, at - low);
  };
}

export function mix(a: Rgb, b: Rgb, share: number): Rgb {
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** Whether dark writing is read better on this colour than white. */
export function isLight([red, green, blue]: Rgb): boolean {
  return 0.299 * red + 0.587 * green + 0.114 * blue > 140;
}
