/**
 * Chains of requests, as Lambda counts them: from a function through a queue, a topic or a bucket, or by a call, to the next function. Streams of a table and
 * schedules begin a new chain ("Use Lambda recursive loop detection to prevent infinite loops", AWS Lambda Developer Guide).
 */
import { describe, expect, it } from 'vitest';
import { queues } from '../../lib/core/access/access.ts';
import { permissionsOf } from './permissions.ts';
import { type Properties, templates } from './templates.ts';

/** What may set off what, by name: functions and queues. */
type Graph = ReadonlyMap<string, readonly string[]>;

const last = (arn: string): string => arn.split(':').at(-1) ?? '';

/** From the roles of the functions and the event source mappings of the queues. */
function chains(): Graph {
  const graph = new Map<string, string[]>();
  const add = (from: string, to: string) => graph.set(from, [...(graph.get(from) ?? []), to]);
  for (const fn of templates().of('AWS::Lambda::Function')) {
    for (const { action, resource } of permissionsOf(fn)) {
      const reaches = /^sqs:SendMessage$|^lambda:Invoke|^sns:Publish$/.test(action);
      if (reaches) add(fn.properties.FunctionName, last(resource));
    }
  }
  for (const { queue, worker } of sources()) add(queue, worker);
  return graph;
}

/** The queues that functions consume; not the stream of the table. */
function sources(): { readonly queue: string; readonly worker: string }[] {
  return templates()
    .of('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => !properties.StartingPosition)
    .map(({ stack, properties }) => {
      const propertiesOf = (id: string): Properties =>
        templates().resources.find((one) => one.stack === stack && one.logicalId === id)?.properties;
      return {
        queue: propertiesOf(properties.EventSourceArn['Fn::GetAtt'][0]).QueueName,
        worker: propertiesOf(properties.FunctionName.Ref).FunctionName,
      };
    });
}

/** A cycle, as the names along it; null: there is none. */
function cycleOf(graph: Graph): readonly string[] | null {
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const next of graph.get(name) ?? []) {
      const cycle = visit(next, [...path, name]);
      if (cycle) return cycle;
    }
    done.add(name);
    return null;
  };
  for (const name of graph.keys()) {
    const cycle = visit(name, []);
    if (cycle) return cycle;
  }
  return null;
}

describe('chains of requests', () => {
  it('are found from roles and event source mappings', () => {
    const graph = chains();
    expect(graph.get('parley-worker-forward-delayed')).toContain('parley-mail');
    expect(graph.get('parley-mail')).toEqual(['parley-worker-send-mail']);
    expect(sources()).toHaveLength(Object.keys(queues).length);
    const added = new Map([...graph, ['parley-worker-send-mail', ['parley-delays']]]);
    expect(new Set(cycleOf(added))).toEqual(
      new Set(['parley-mail', 'parley-worker-send-mail', 'parley-delays', 'parley-worker-forward-delayed']),
    );
  });

  it('come back to no function: what continues itself goes through the stream of the table or a schedule', () => {
    expect(cycleOf(chains())).toBeNull();
  });

  it('leave recursive-loop detection on, for every function', () => {
    const changed = templates()
      .of('AWS::Lambda::Function')
      .filter(({ properties }) => properties.RecursiveLoop !== undefined);
    expect(changed.map(({ properties }) => properties.FunctionName)).toEqual([]);
  });

  it('go through no notification of a bucket: it would be a further edge', () => {
    const notified = templates()
      .of('AWS::S3::Bucket')
      .filter(({ properties }) => properties.NotificationConfiguration);
    expect(notified.map(({ logicalId }) => logicalId)).toEqual([]);
  });
});
