/** Evaluates CloudFormation's intrinsic functions in template values. */

/** A value after evaluation: plain JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Resolves the references of one stack. Each method throws for unknown names. */
export interface References {
  /** `Ref` of a resource, parameter or pseudo parameter. */
  ref(name: string): Json;
  /** `Fn::GetAtt`. */
  attribute(logicalId: string, attribute: string): Json;
  /** `Fn::ImportValue`. */
  imported(exportName: string): Json;
}

/**
 * Replaces intrinsic functions by their values. `AWS::NoValue` removes its property.
 *
 * @throws Error for an unsupported intrinsic
 */
export function evaluate(value: unknown, references: References): Json {
  if (
    value === null ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    typeof value === 'string'
  ) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.filter((item) => !isNoValue(item)).map((item) => evaluate(item, references));
  }
  if (typeof value !== 'object') throw new Error(`a template holds no ${typeof value}`);
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
    return intrinsic(only[0], only[1], references);
  }
  return Object.fromEntries(
    entries.filter(([, item]) => !isNoValue(item)).map(([name, item]) => [name, evaluate(item, references)]),
  );
}

function isNoValue(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'Ref' in value && value.Ref === 'AWS::NoValue';
}

function intrinsic(name: string, argument: unknown, references: References): Json {
  switch (name) {
    case 'Ref':
      return references.ref(text(argument, name));
    case 'Fn::GetAtt': {
      const [logicalId, ...attribute] = Array.isArray(argument) ? argument : text(argument, name).split('.');
      return references.attribute(text(logicalId, name), attribute.join('.'));
    }
    case 'Fn::ImportValue':
      return references.imported(text(evaluate(argument, references), name));
    case 'Fn::Join': {
      const [separator, parts] = list(argument, name);
      return list(evaluate(parts, references), name)
        .map((part) => text(part, name))
        .join(text(separator, name));
    }
    case 'Fn::Split': {
      const [separator, whole] = list(argument, name);
      return text(evaluate(whole, references), name).split(text(separator, name));
    }
    case 'Fn::Select': {
      const [index, items] = list(argument, name);
      const item = list(evaluate(items, references), name)[Number(evaluate(index, references))];
      if (item === undefined) throw new Error(`Fn::Select ${JSON.stringify(argument)} selects nothing`);
      return item as Json;
    }
    case 'Fn::Sub':
      return substitute(argument, references);
    default:
      throw new Error(`the intrinsic ${name} is not supported`);
  }
}

function substitute(argument: unknown, references: References): string {
  const [pattern, given] = Array.isArray(argument) ? argument : [argument, {}];
  const variables = evaluate(given ?? {}, references) as Record<string, Json>;
  return text(pattern, 'Fn::Sub').replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal) return `\${${name}}`;
    if (name in variables) return String(variables[name]);
    const [logicalId = '', ...attribute] = name.split('.');
    return String(
      attribute.length > 0 ? references.attribute(logicalId, attribute.join('.')) : references.ref(name),
    );
  });
}

function text(value: unknown, where: string): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new Error(`${where} needs a text, not ${JSON.stringify(value)}`);
}

function list(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${where} needs a list, not ${JSON.stringify(value)}`);
}
