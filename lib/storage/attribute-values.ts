/** Attribute values in DynamoDB's JSON ("AttributeValue", Amazon DynamoDB API Reference). */

type Wire = Readonly<Record<string, unknown>>;

/**
 * A map of attributes in DynamoDB's JSON. Undefined values are left out, as in JSON.
 *
 * @throws TypeError for values that DynamoDB cannot hold
 */
export function toAttributes(map: Readonly<Record<string, unknown>>): Record<string, Wire> {
  const attributes: Record<string, Wire> = {};
  for (const name of Object.keys(map)) {
    const value = map[name];
    if (value !== undefined) attributes[name] = toWire(value);
  }
  return attributes;
}

/** A map of attributes from DynamoDB's JSON. @throws TypeError for types that there are not */
export function fromAttributes(attributes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (const name of Object.keys(attributes)) map[name] = fromWire(attributes[name] as Wire);
  return map;
}

function toWire(value: unknown): Wire {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: toNumber(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      return toWireOfObject(value);
    default:
      throw new TypeError(`a ${typeof value} is no attribute value`);
  }
}

function toWireOfObject(value: object | null): Wire {
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(toWire) };
  if (value instanceof Uint8Array) return { B: toBase64(value) };
  if (value instanceof Set) return toSet([...value]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError('an instance of a class is no attribute value');
  return { M: toAttributes(value as Readonly<Record<string, unknown>>) };
}

function toSet(values: readonly unknown[]): Wire {
  // An empty set is no value of DynamoDB.
  if (values.length > 0 && values.every((value) => typeof value === 'string')) return { SS: values };
  throw new TypeError('only sets of strings are attribute values, and none that is empty');
}

/** Of 38 digits DynamoDB keeps all; a JavaScript number beyond these bounds has lost some before. */
function toNumber(value: number): string {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  throw new TypeError(`${value} is no number of DynamoDB`);
}

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

function fromWire(wire: Wire): unknown {
  for (const type in wire) {
    const value = wire[type];
    switch (type) {
      case 'S':
      case 'BOOL':
        return value;
      case 'N':
        return Number(value);
      case 'NULL':
        return null;
      case 'B':
        return new Uint8Array(Buffer.from(String(value), 'base64'));
      case 'M':
        return fromAttributes(value as Wire);
      case 'L':
        return (value as readonly Wire[]).map(fromWire);
      case 'SS':
        return new Set(value as readonly string[]);
      default:
        throw new TypeError(`attribute values of type ${type} are not supported`);
    }
  }
  throw new TypeError('an attribute value without a type');
}
