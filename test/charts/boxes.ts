const BOX =
  /<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx="2" fill="(#\w+)"/g;

/** The boxes of a chart: one for each entry of the legend, then the bars. */
export function boxesOf(svg: string) {
  return [...svg.matchAll(BOX)].map(([, x, y, width, height, fill]) => {
    return { x: Number(x), y: Number(y), width: Number(width), height: Number(height), fill };
  });
}
