/** Compares a value of the wire with the shape of AWS's model: names of members, required ones, types, enums. */
import type { NormalizedSchema } from '@smithy/core/schema';
import type { OperationModel } from './model.ts';

/** What is wrong, each with its path. */
export type Problems = string[];

/** Names the members of a structure that a part of the message holds, with the name on the wire. */
export type MemberNames = ReadonlyMap<string, NormalizedSchema>;

/** Members by their names in JSON; those with another place (label, header, query, payload) are not in the body. */
export function bodyMembers(shape: NormalizedSchema): MemberNames {
  return new Map(
    [...shape.structIterator()].flatMap(([name, member]) => {
      const traits = member.getMergedTraits();
      const isElsewhere = traits.httpLabel || traits.httpQuery || traits.httpHeader || traits.httpPayload;
      return isElsewhere || traits.httpPrefixHeaders || traits.httpResponseCode
        ? []
        : [[traits.jsonName ?? name, member] as const];
    }),
  );
}

export function compareStructure(
  model: OperationModel,
  shape: NormalizedSchema,
  value: unknown,
  path: string,
): Problems {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no structure`];
  const members = bodyMembers(shape);
  const missing = requiredOf(shape).filter((name) => members.has(name) && absent(value, name));
  if (shape.isUnionSchema() && Object.keys(value).length !== 1) return [`${path} is no union`];
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const member = members.get(name);
      if (!member) return ofEngines.has(name) ? [] : [`${path}.${name} is not in the model`];
      if (each === null) return [];
      const allowed = model.enumOf(shape.getName()?.replace(/^.*#/, '') ?? '', name);
      const values = allowed ? [each].flat() : [];
      return [
        ...compare(model, member, each, `${path}.${name}`),
        ...values
          .filter((one) => !allowed?.has(String(one)))
          .map((one) => `${path}.${name} is ${String(one)}`),
      ];
    }),
  ];
}

/** What the table engines say of tables, of which the product reads nothing. */
const ofEngines = new Set(['TableThroughputModeSummary']);

const absent = (value: object, name: string): boolean => !(name in value);

/** The required members are the first ones, with their count at the end of the schema. */
function requiredOf(shape: NormalizedSchema): readonly string[] {
  const schema = shape.getSchema();
  const [, , , , names = [], , count = 0] = schema as unknown as [0, '', '', 0, string[], unknown[], number];
  return Array.isArray(schema) && Array.isArray(names) ? names.slice(0, count) : [];
}

function compare(model: OperationModel, shape: NormalizedSchema, value: unknown, path: string): Problems {
  if (shape.isStructSchema()) return compareStructure(model, shape, value, path);
  if (shape.isListSchema()) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((each, index) => compare(model, shape.getValueSchema(), each, `${path}.${index}`));
  }
  if (shape.isMapSchema()) {
    if (typeof value !== 'object' || value === null) return [`${path} is no map`];
    return Object.entries(value).flatMap(([key, each]) =>
      compare(model, shape.getValueSchema(), each, `${path}.${key}`),
    );
  }
  const type = typeof value;
  if (shape.isBooleanSchema()) return type === 'boolean' ? [] : [`${path} is no boolean`];
  if (shape.isTimestampSchema() || shape.isNumericSchema())
    return type === 'number' || shape.isTimestampSchema() ? [] : [`${path} is no number`];
  if (shape.isStringSchema() || shape.isBlobSchema())
    return type === 'string' ? [] : [`${path} is no string`];
  return [];
}
