/** TNEF streams for tests, written from [MS-OXTNEF] 2.1.3. */

export interface TnefInput {
  readonly codePage?: number;
  readonly body?: Buffer;
  readonly properties?: readonly Property[];
  readonly files?: readonly TnefFileInput[];
}

export interface TnefFileInput {
  /** The legacy name, in the code page. */
  readonly title?: Buffer;
  readonly data?: Buffer;
  readonly properties?: readonly Property[];
}

/** A property: its type and id, and its value as the type stores it. */
export interface Property {
  readonly type: number;
  readonly id: number;
  readonly value: Buffer;
  /** The name of a named property. */
  readonly name?: string | number;
}

export const unicode = (id: number, text: string): Property => ({
  type: 0x1f,
  id,
  value: Buffer.from(`${text}\0`, 'utf16le'),
});
export const binary = (id: number, value: Buffer): Property => ({ type: 0x102, id, value });
export const long = (id: number, value: number): Property => ({ type: 3, id, value: u32(value) });
/** An embedded message: the id of IMessage, and its stream. */
export const embedded = (stream: Buffer): Property => ({
  type: 0x0d,
  id: 0x3701,
  value: Buffer.concat([Buffer.from('0703020000000000c000000000000046', 'hex'), stream]),
});

export function tnef({ codePage = 1252, body, properties, files = [] }: TnefInput): Buffer {
  return Buffer.concat([
    u32(0x223e9f78),
    u16(1),
    attribute(1, 0x0008_9006, u32(0x0001_0000)),
    attribute(1, 0x0006_9007, Buffer.concat([u32(codePage), u32(0)])),
    ...(body ? [attribute(1, 0x0002_800c, Buffer.concat([body, Buffer.alloc(1)]))] : []),
    ...(properties ? [attribute(1, 0x0006_9003, propertyList(properties))] : []),
    ...files.flatMap((file) => [
      attribute(2, 0x0006_9002, Buffer.alloc(14)),
      ...(file.title ? [attribute(2, 0x0001_8010, Buffer.concat([file.title, Buffer.alloc(1)]))] : []),
      ...(file.data ? [attribute(2, 0x0006_800f, file.data)] : []),
      ...(file.properties ? [attribute(2, 0x0006_9005, propertyList(file.properties))] : []),
    ]),
  ]);
}

function attribute(level: number, tag: number, data: Buffer): Buffer {
  let checksum = 0;
  for (let at = 0; at < data.length; at++) checksum = (checksum + (data[at] ?? 0)) & 0xffff;
  return Buffer.concat([Buffer.from([level]), u32(tag), u32(data.length), data, u16(checksum)]);
}

function propertyList(properties: readonly Property[]): Buffer {
  return Buffer.concat([u32(properties.length), ...properties.flatMap(property)]);
}

function property({ type, id, value, name }: Property): Buffer[] {
  const isVariable = [0x0d, 0x1e, 0x1f, 0x102].includes(type);
  const named = name === undefined ? [] : [Buffer.alloc(16, 7), ...nameOf(name)];
  return [u16(type), u16(id), ...named, ...(isVariable ? [u32(1), u32(value.length)] : []), padded(value)];
}

function nameOf(name: string | number): Buffer[] {
  if (typeof name === 'number') return [u32(0), u32(name)];
  const text = Buffer.from(`${name}\0`, 'utf16le');
  return [u32(1), u32(text.length), padded(text)];
}

function padded(value: Buffer): Buffer {
  return Buffer.concat([value, Buffer.alloc((4 - (value.length % 4)) % 4)]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
