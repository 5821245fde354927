import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE_BYTES = 8;
const COLOURS = 256;

/**
 * Returns a screenshot reduced to a palette of its 256 most common colors, a third of the size. On
 * a page nearly all other colors are edges of letters, which are close to one of these.
 *
 * @param png eight bits per channel, not interlaced, as browsers write it
 */
export function withPalette(png: Buffer): Buffer {
  const chunks = [...chunksOf(png)];
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined) throw new Error('This is no PNG.');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const data = Buffer.concat(
    chunks.filter(({ type }) => type === 'IDAT').map((chunk) => chunk.data),
  );
  const channels = header[9] === 6 ? 4 : 3;
  const pixels = unfiltered(inflateSync(data), width * channels, channels);
  const colours = Array.from({ length: width * height }, (_, at) =>
    pixels.readUIntBE(at * channels, 3),
  );

  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const byUse = [...counts]
    .toSorted(([a, countA], [b, countB]) => countB - countA || a - b)
    .map(([colour]) => colour);
  const palette = byUse.slice(0, COLOURS);
  const places = new Map(byUse.map((colour) => [colour, nearest(colour, palette)]));

  const rows = Buffer.alloc((width + 1) * height);
  for (const [at, colour] of colours.entries()) {
    rows[at + Math.floor(at / width) + 1] = places.get(colour) ?? 0;
  }
  const indexed = Buffer.from(header);
  indexed[9] = 3;
  return Buffer.concat([
    png.subarray(0, SIGNATURE_BYTES),
    chunk('IHDR', indexed),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function* chunksOf(png: Buffer) {
  for (let at = SIGNATURE_BYTES; at < png.length; ) {
    const length = png.readUInt32BE(at);
    yield {
      type: png.toString('latin1', at + 4, at + 8),
      data: png.subarray(at + 8, at + 8 + length),
    };
    at += length + 12;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  body.copy(bytes, 4);
  bytes.writeUInt32BE(crc32(body), bytes.length - 4);
  return bytes;
}

/** Reverses the filters of rows (PNG specification, "Filter types for filter method 0"). */
function unfiltered(filtered: Buffer, rowBytes: number, step: number): Buffer {
  const rows = filtered.length / (rowBytes + 1);
  const pixels = Buffer.alloc(rows * rowBytes);
  for (let row = 0; row < rows; row += 1) {
    const filter = filtered[row * (rowBytes + 1)] ?? 0;
    for (let at = 0; at < rowBytes; at += 1) {
      const place = row * rowBytes + at;
      const left = at < step ? 0 : (pixels[place - step] ?? 0);
      const above = row === 0 ? 0 : (pixels[place - rowBytes] ?? 0);
      const corner = at < step || row === 0 ? 0 : (pixels[place - rowBytes - step] ?? 0);
      const value = filtered[row * (rowBytes + 1) + 1 + at] ?? 0;
      pixels[place] =
        value + ([0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0);
    }
  }
  return pixels;
}

function paeth(left: number, above: number, corner: number): number {
  const [byLeft, byAbove, byCorner] = [
    above - corner,
    left - corner,
    left + above - 2 * corner,
  ].map(Math.abs);
  if (byLeft === undefined || byAbove === undefined || byCorner === undefined) return 0;
  if (byLeft <= byAbove && byLeft <= byCorner) return left;
  return byAbove <= byCorner ? above : corner;
}

function channelsOf(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function nearest(colour: number, palette: readonly number[]): number {
  const [red, green, blue] = channelsOf(colour);
  let [best, bestDistance] = [0, Number.POSITIVE_INFINITY];
  for (const [place, candidate] of palette.entries()) {
    const [otherRed, otherGreen, otherBlue] = channelsOf(candidate);
    const distance = (red - otherRed) ** 2 + (green - otherGreen) ** 2 + (blue - otherBlue) ** 2;
    if (distance < bestDistance) [best, bestDistance] = [place, distance];
  }
  return best;
}
