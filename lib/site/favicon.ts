/** The icon for clients that ask for `/favicon.ico`: two speech balloons, 32 × 32. */

const side = 32;
/** Blue, green, red. */
const color = [0xd4, 0x6f, 0x3b] as const;

/** An ICO file with one bitmap of 32 bits ("ICO (file format)": ICONDIR, ICONDIRENTRY, BITMAPINFOHEADER, pixels from below, mask). */
export function faviconFile(): Buffer {
  const pixels = Buffer.alloc(side * side * 4);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      pixels.set([...color, opacityAt(x, side - 1 - y)], (y * side + x) * 4);
    }
  }
  const mask = Buffer.alloc((side * side) / 8);
  const header = Buffer.alloc(40);
  header.writeUInt32LE(40, 0);
  header.writeInt32LE(side, 4);
  header.writeInt32LE(side * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const image = Buffer.concat([header, pixels, mask]);
  const directory = Buffer.alloc(22);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(1, 4);
  directory.writeUInt8(side, 6);
  directory.writeUInt8(side, 7);
  directory.writeUInt16LE(1, 10);
  directory.writeUInt16LE(32, 12);
  directory.writeUInt32LE(image.length, 14);
  directory.writeUInt32LE(directory.length, 18);
  return Buffer.concat([directory, image]);
}

function opacityAt(x: number, y: number): number {
  const isIn = (left: number, top: number, right: number, bottom: number) =>
    x >= left && x <= right && y >= top && y <= bottom;
  const isFront = isIn(1, 4, 23, 17) || (y > 17 && y < 22 && x > 5 && x < 11 - (y - 18));
  if (isFront) return 255;
  const isBack = isIn(9, 12, 30, 24) || (y > 24 && y < 29 && x < 28 && x > 22 + (y - 25));
  return isBack && !isIn(0, 3, 24, 18) ? 140 : 0;
}
