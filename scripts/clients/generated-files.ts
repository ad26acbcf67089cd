/** Every generated module of the clients, by its path. */
import { eventExamplesModule } from './event-examples.ts';
import { readDocument } from './read-document.ts';
import { groupsModule, problemsModule, resourceModule } from './typescript-resources.ts';
import { typesModule } from './typescript-types.ts';

const folder = 'clients/typescript/src';

export function generatedFiles(): ReadonlyMap<string, string> {
  const source = readDocument();
  const groups = [...new Set(source.operations.map(({ group }) => group))];
  return new Map([
    [`${folder}/types.ts`, typesModule(source)],
    [`${folder}/groups.ts`, groupsModule(source)],
    [`${folder}/problems.ts`, problemsModule(source)],
    ['clients/cli/src/generated/event-examples.ts', eventExamplesModule(source)],
    ...groups.map((group) => [`${folder}/resources/${group}.ts`, resourceModule(group, source)] as const),
  ]);
}
