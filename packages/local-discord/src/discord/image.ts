const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** Returns width and height of a PNG in pixels, or an empty object for any other file. */
export function imageSize(
  data: Uint8Array,
): { width: number; height: number } | Record<never, never> {
  if (data.byteLength < 24 || PNG_SIGNATURE.some((byte, index) => data[index] !== byte)) return {};
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
