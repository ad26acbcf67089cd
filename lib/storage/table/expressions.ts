/** Update and condition expressions, built from plain objects. Every name is a placeholder: DynamoDB reserves 573 words. */
import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb';

export interface Change {
  /** Written in any case. `undefined` leaves the attribute as it is, null stores NULL. */
  readonly set?: Readonly<Record<string, unknown>>;
  /** Written where the attribute is absent. */
  readonly setOnce?: Readonly<Record<string, unknown>>;
  /** Added to a number; an absent one counts as 0. */
  readonly increment?: Readonly<Record<string, number>>;
  /** Removed where they are present. */
  readonly remove?: readonly string[];
  /** Appended to a list that exists. */
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
}

/** What must hold of the item as it is before the change; all of it. */
export interface Requirement {
  readonly exists?: boolean;
  /** Attributes with these values. */
  readonly equal?: Readonly<Record<string, unknown>>;
  /** Attributes that are there, with any value. */
  readonly present?: readonly string[];
  /** Attributes that are not there. */
  readonly absent?: readonly string[];
}

export type Expressions = Pick<
  UpdateCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** The change that stores attributes; null: an absent one. */
export function setOrRemove(
  attributes: Readonly<Record<string, unknown>>,
): Required<Pick<Change, 'set' | 'remove'>> {
  const entries = Object.entries(attributes);
  return {
    set: Object.fromEntries(entries.filter(([, value]) => value !== null)),
    remove: entries.flatMap(([name, value]) => (value === null ? [name] : [])),
  };
}

/** The attributes that are to be absent, of a part of an item (`Codec.part`). */
export const absentIn = (attributes: Readonly<Record<string, unknown>> = {}): string[] =>
  Object.keys(attributes).filter((name) => attributes[name] === undefined);

/** The expressions of a change. `require.exists: false` is for creation. */
export function expressionsOf(change: Change, require: Requirement = {}): Expressions {
  const names = new Map<string, string>();
  const values = new Map<string, unknown>();
  const name = (attribute: string): string => {
    names.set(`#${attribute}`, attribute);
    return `#${attribute}`;
  };
  const value = (key: string, of: unknown): string => {
    values.set(`:${key}`, of);
    return `:${key}`;
  };
  const given = (part: Readonly<Record<string, unknown>> = {}) =>
    Object.entries(part).filter(([, of]) => of !== undefined);
  const assignments = [
    ...given(change.set).map(([attribute, of]) => `${name(attribute)} = ${value(attribute, of)}`),
    ...given(change.setOnce).map(
      ([attribute, of]) => `${name(attribute)} = if_not_exists(${name(attribute)}, ${value(attribute, of)})`,
    ),
    ...given(change.increment).map(
      ([attribute, of]) =>
        `${name(attribute)} = if_not_exists(${name(attribute)}, ${value('zero', 0)}) + ${value(attribute, of)}`,
    ),
    ...given(change.append).map(
      ([attribute, of]) => `${name(attribute)} = list_append(${name(attribute)}, ${value(attribute, of)})`,
    ),
  ];
  const removals = (change.remove ?? []).map(name);
  const actions = [
    ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
    ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
  ];
  const conditions = [
    ...(require.exists === undefined
      ? []
      : [require.exists ? 'attribute_exists(pk)' : 'attribute_not_exists(pk)']),
    ...given(require.equal).map(
      ([attribute, of]) => `${name(attribute)} = ${value(`expected_${attribute}`, of)}`,
    ),
    ...(require.present ?? []).map((attribute) => `attribute_exists(${name(attribute)})`),
    ...(require.absent ?? []).map((attribute) => `attribute_not_exists(${name(attribute)})`),
  ];
  return {
    ...(actions.length > 0 && { UpdateExpression: actions.join(' ') }),
    ...(conditions.length > 0 && { ConditionExpression: conditions.join(' AND ') }),
    ...(names.size > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
    ...(values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
  };
}

/** Expressions that set one more attribute. */
export function setting(
  { UpdateExpression = '', ...rest }: Expressions,
  attribute: string,
  value: unknown,
): Expressions {
  const set = `SET #${attribute} = :${attribute}`;
  return {
    ...rest,
    UpdateExpression: UpdateExpression.startsWith('SET ')
      ? `${set}, ${UpdateExpression.slice('SET '.length)}`
      : `${set} ${UpdateExpression}`,
    ExpressionAttributeNames: { ...rest.ExpressionAttributeNames, [`#${attribute}`]: attribute },
    ExpressionAttributeValues: { ...rest.ExpressionAttributeValues, [`:${attribute}`]: value },
  };
}

/** A hand-written condition. */
export type Condition = Required<Pick<Expressions, 'ConditionExpression'>> &
  Pick<Expressions, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>;

/** Merges a hand-written condition into expressions. */
export function withCondition(expressions: Expressions, condition: Condition): Expressions {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = condition;
  return {
    ...expressions,
    ConditionExpression: condition.ConditionExpression,
    ...(names && { ExpressionAttributeNames: { ...expressions.ExpressionAttributeNames, ...names } }),
    ...(values && { ExpressionAttributeValues: { ...expressions.ExpressionAttributeValues, ...values } }),
  };
}
