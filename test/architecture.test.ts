import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../functions/operations.ts';

const root = join(import.meta.dirname, '..');
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Every source file with its own modules that it imports at run time; types may come from anywhere. */
const imports = new Map(
  globSync('{bin,functions,lib,scripts}/**/*.ts', { cwd: root }).map(
    (file) => [file, importsOf(file)] as const,
  ),
);

function importsOf(file: string): string[] {
  const statements = textOf(file).matchAll(
    /^(?:import|export)\s(?!type\b)[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm,
  );
  return [...statements].map(([, from, dynamic]) =>
    relative(root, join(root, dirname(file), from ?? dynamic ?? '')),
  );
}

/** Every source file with its own modules that it imports, types included. */
const allImports = new Map(
  [...imports.keys()].map((file) => [
    file,
    [...textOf(file).matchAll(/^(?:import|export)\s[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm)].map(
      ([, from, dynamic]) => relative(root, join(root, dirname(file), from ?? dynamic ?? '')),
    ),
  ]),
);

/** The folders of a layer with the other folders of it that their files import, types included. */
function folderImports(layer: string): Map<string, string[]> {
  const folderOf = (file: string) =>
    file.startsWith(`${layer}/`) && file.split('/').length > 3 ? file.split('/').slice(0, 3).join('/') : null;
  const folders = new Map<string, string[]>();
  for (const [file, targets] of allImports) {
    const folder = folderOf(file);
    if (!folder) continue;
    const others = targets.flatMap((target) => folderOf(target) ?? []).filter((other) => other !== folder);
    folders.set(folder, [...(folders.get(folder) ?? []), ...others]);
  }
  return folders;
}

/** `file -> import` for each import of the files under `room` outside `allowed`. */
function trespasses(room: RegExp, allowed: RegExp): string[] {
  return [...imports]
    .filter(([file]) => room.test(file))
    .flatMap(([file, targets]) =>
      targets.filter((target) => !allowed.test(target)).map((target) => `${file} -> ${target}`),
    );
}

/** Everything that a file loads, directly or indirectly. */
function loadedBy(file: string, graph = imports, seen = new Set<string>()): Set<string> {
  for (const target of graph.get(file) ?? []) {
    if (seen.has(target)) continue;
    seen.add(target);
    loadedBy(target, graph, seen);
  }
  return seen;
}

const contracts = [...imports.keys()].filter((file) => file.endsWith('.contract.ts'));
const handlers = [...imports.keys()].filter((file) => /^functions\/[\w-]+\/[\w-]+\.ts$/.test(file));
const isContract = /\.contract\.ts$/;

/** Files under `room` with the files they name that match `target`, types included. */
const naming = (room: RegExp, target: RegExp): string[] =>
  [...allImports]
    .filter(([file]) => room.test(file))
    .flatMap(([file, targets]) => targets.filter((to) => target.test(to)).map((to) => `${file} -> ${to}`));

describe('imports', () => {
  it('are found', () => {
    expect(imports.get('lib/constructs/names.ts')).toContain('lib/core/access/access.ts');
    expect(contracts.length).toBeGreaterThan(5);
  });

  it('of lib/core name lib/core and lib/mail only', () => {
    expect(trespasses(/^lib\/core\//, /^lib\/(core|mail)\//)).toEqual([]);
  });

  it('of lib/mail name lib/mail only, types included, and no SDK of AWS', () => {
    expect(naming(/^lib\/mail\//, /^(?!lib\/mail\/)/)).toEqual([]);
    const files = [...imports.keys()].filter((file) => file.startsWith('lib/mail/'));
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter((file) => /from '@(aws-sdk|smithy|middy)\//.test(textOf(file)))).toEqual([]);
  });

  it('of files outside lib/mail name its index or a file that the index exports, types included', () => {
    const entries = new Set(['lib/mail/index.ts', ...(allImports.get('lib/mail/index.ts') ?? [])]);
    const outside = [...allImports].filter(([file]) => !/^lib\/mail\//.test(file));
    const named = outside.flatMap(([file, targets]) =>
      targets.filter((to) => to.startsWith('lib/mail/')).map((to) => [file, to] as const),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(([, to]) => !entries.has(to)).map((edge) => edge.join(' -> '))).toEqual([]);
  });

  it('of lib/storage and lib/adapters name lib/core, each other and the environment only', () => {
    expect(
      trespasses(
        /^lib\/(storage|adapters)\//,
        /^lib\/((core|mail|storage|adapters|observability)\/|env\.ts$)/,
      ),
    ).toEqual([]);
  });

  it('of lib/http never name functions, stacks or the local cloud', () => {
    expect(
      trespasses(/^lib\/http\//, /^lib\/((core|mail|adapters|http|services|observability)\/|env\.ts$)/),
    ).toEqual([]);
  });

  it('of functions and lib/http name no part of lib/storage, types included', () => {
    expect(naming(/^(functions|lib\/http)\//, /^lib\/storage\//)).toEqual([]);
  });

  it('of lib/services name stores only, never how items are stored', () => {
    const internals = /^lib\/storage\/table\/(table|keys|codec|expressions|paging|outbox-item)\.ts$/;
    expect(naming(/^lib\/services\//, internals)).toEqual([]);
  });

  it('of lib/storage name neither problems nor KMS, and no store creates secrets', () => {
    expect(naming(/^lib\/storage\//, /^lib\/(core\/problems|adapters\/secrets)\.ts$/)).toEqual([]);
    const minting = [...imports.keys()].filter(
      (file) => /^lib\/storage\//.test(file) && /\bnewToken\b|\brandomBytes\b/.test(textOf(file)),
    );
    expect(minting).toEqual([]);
  });

  it('of lib/services are in folders by use case, except what all of them use', () => {
    const flat = [...imports.keys()].filter((file) => /^lib\/services\/[^/]+\.ts$/.test(file));
    expect(flat).toEqual(['lib/services/retry-on-conflict.ts']);
  });

  it('of contracts load no SDK client, because synthesis and the OpenAPI document load all contracts', () => {
    const clients = contracts.flatMap((file) =>
      [...loadedBy(file)]
        .filter((target) => /^lib\/(storage|adapters)\//.test(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(clients).toEqual([]);
  });

  it('of handlers never load the lists of functions, which hold every schema', () => {
    const lists = /^functions\/(operations|workers|public)\.ts$/;
    const loading = handlers
      .filter(
        (file) =>
          !isContract.test(file) && !/^functions\/public\/(fallback|openapi|openapi-v1)\.ts$/.test(file),
      )
      .flatMap((file) =>
        [...loadedBy(file)].filter((target) => lists.test(target)).map((target) => `${file} -> ${target}`),
      );
    expect(loading).toEqual([]);
  });

  it('of the CDK app name contracts and never handlers', () => {
    const loaded = [...loadedBy('bin/app.ts')];
    const own = loaded.filter((file) => handlers.includes(file) && !isContract.test(file));
    expect(loaded.length).toBeGreaterThan(10);
    expect(own).toEqual([]);
  });

  it('of the CDK app name no part of lib/storage but the keys', () => {
    const storage = [...loadedBy('bin/app.ts')].filter((file) =>
      /^lib\/(storage|adapters|local)\//.test(file),
    );
    expect(storage).toEqual(['lib/storage/table/keys.ts']);
  });

  it('of lib/observability name the clock and the environment only, and those of its catalogues nothing', () => {
    expect(
      trespasses(/^lib\/observability\//, /^lib\/(observability\/|adapters\/clock\.ts$|env\.ts$)/),
    ).toEqual([]);
    const catalogues = ['log-events', 'runbook', 'filter-pattern'].map(
      (name) => `lib/observability/${name}.ts`,
    );
    expect(catalogues.flatMap((file) => imports.get(file) ?? ['missing'])).toEqual([]);
  });

  it('of functions and their modules never name the CDK app or the local cloud', () => {
    expect(
      trespasses(
        /^(functions|lib\/(http|services|storage|adapters|observability))\//,
        /^(?!lib\/(stacks|constructs|local)\/)/,
      ),
    ).toEqual([]);
  });

  it('of lib/constructs never name lib/stacks, types included', () => {
    const constructs = [...allImports].filter(([file]) => file.startsWith('lib/constructs/'));
    expect(constructs.length).toBeGreaterThan(5);
    expect(constructs.filter(([, targets]) => targets.some((to) => to.startsWith('lib/stacks/')))).toEqual(
      [],
    );
  });

  it('of files outside lib/local name its index only, types included', () => {
    const named = naming(/^(bin|functions|scripts|lib(?!\/local\/))/, /^lib\/local\//);
    expect(named.filter((edge) => edge.endsWith('.ts -> lib/local/index.ts')).length).toBeGreaterThan(5);
    expect(named.filter((edge) => !edge.endsWith(' -> lib/local/index.ts'))).toEqual([]);
  });

  it('have no cycle, types included', () => {
    const circles = [...allImports.keys()].filter((file) => loadedBy(file, allImports).has(file));
    expect(circles).toEqual([]);
  });

  it.each(['lib/services', 'lib/storage', 'lib/core', 'lib/mail'])(
    'of the folders of %s form no cycle, types included',
    (layer) => {
      const folders = folderImports(layer);
      expect(folders.size).toBeGreaterThan(5);
      expect([...folders.keys()].filter((folder) => loadedBy(folder, folders).has(folder))).toEqual([]);
    },
  );
});

describe('every handler of an operation', () => {
  it('is made by `serve` of its contract, whose checks test/http proves once for all', () => {
    const unserved = operations.filter(({ id }) => {
      const path = id.replaceAll('.', '/');
      const text = textOf(`functions/${path}.ts`);
      const contract = /^export const handler = serve(?:Early)?\(\s*(\w+),/m.exec(text)?.[1];
      const imported = new RegExp(`import { ${contract}\\b.* } from '\\./${basename(path)}\\.contract\\.ts'`);
      return contract === undefined || !imported.test(text);
    });
    expect(unserved.map(({ id }) => id)).toEqual([]);
    expect(operations.length).toBeGreaterThan(70);
  });
});

/** Code that runs in production or creates it, but for the documentation site: its pages and the script in browsers. */
const deployed = [...imports.keys()].filter((file) => /^(functions|lib(?!\/(local|site)\/))\//.test(file));

/** `file: words` for each file with matches of `pattern`. */
function wordsIn(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) => {
    const found = [...textOf(file).matchAll(pattern)].map(([words]) => words);
    return found.length > 0 ? [`${file}: ${[...new Set(found)].sort().join(', ')}`] : [];
  });
}

describe('time and randomness', () => {
  /** Names in Node and JavaScript of clocks, timers and randomness. */
  const sources = new RegExp(
    [
      /\bDate\.now\b/,
      // Without arguments; with arguments it is arithmetic.
      /\bDate\(\s*\)|\bnew Date\b(?!\()/,
      /\bTemporal\.Now\b/,
      /\bperformance\.(?:now|timeOrigin)\b|\bperf_hooks\b/,
      /\bhrtime\b|\buptime\(/,
      /\bset(?:Timeout|Interval)\b|\btimers(?:\/promises)?'/,
      /\bAbortSignal\.timeout\b/,
      /\bMath\.random\b/,
      /\brandom(?:Bytes|UUID|Int|Fill|FillSync)\b|\bgetRandomValues\b/,
      /\bgenerate(?:Key|KeyPair|Prime)(?:Sync)?\b/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'g',
  );

  /** The two sources, and the code that needs real time. */
  const allowed: Readonly<Record<string, string>> = {
    'lib/adapters/clock.ts': 'Date.now, performance.now, setTimeout',
    'lib/adapters/random.ts': 'generateKeyPair, randomBytes',
    // Network calls have time limits, and a webhook attempt records its duration.
    'lib/adapters/functions.ts': 'AbortSignal.timeout',
    'lib/adapters/log-search.ts': 'AbortSignal.timeout',
    'lib/adapters/objects.ts': 'setTimeout',
    'lib/adapters/ses.ts': 'AbortSignal.timeout',
    'lib/adapters/mailbox-providers/http.ts': 'AbortSignal.timeout',
    'lib/adapters/secrets-manager.ts': 'AbortSignal.timeout',
    'lib/adapters/trace-segments.ts': 'AbortSignal.timeout',
    'lib/adapters/outbound-http.ts': 'perf_hooks, performance.now, setTimeout',
    // SES limits calls per real second.
    'lib/adapters/ses-management.ts': 'Date.now',
    // Which folders are used, and which are left over.
    'lib/constructs/cached-folder.ts': 'Date(), Date.now',
    // The process that reads a file has a real time limit, and may import no adapter.
    'lib/mail/files/run-in-process.ts': 'setInterval, setTimeout',
  };

  it('come from lib/adapters/clock.ts and lib/adapters/random.ts, except for these uses of real time', () => {
    const expected = Object.entries(allowed).map(([file, words]) => `${file}: ${words}`);
    expect(wordsIn(deployed, sources).sort()).toEqual(expected.sort());
  });

  it('are matched by every name', () => {
    const ways = [
      'Date.now()',
      'new Date()',
      'new Date( )',
      'new Date;',
      'Date()',
      'performance.now()',
      "import { performance } from 'node:perf_hooks';",
      'process.hrtime.bigint()',
      'process.uptime()',
      'setTimeout(look, 5)',
      'setInterval(look, 5)',
      "import { scheduler } from 'node:timers/promises';",
      'AbortSignal.timeout(5)',
      'Math.random()',
      "import { randomBytes } from 'node:crypto';",
      'crypto.randomUUID()',
      'crypto.getRandomValues(bytes)',
      'generateKeyPairSync(type)',
    ];
    expect(ways.filter((text) => !text.match(sources))).toEqual([]);
    const harmless = [
      'new Date(atMs)',
      'clearTimeout(timer)',
      'timeoutMs',
      'randomFrom(list)',
      'Date.parse(a)',
    ];
    expect(harmless.filter((text) => text.match(sources))).toEqual([]);
  });
});

describe('logs', () => {
  it('are written by lib/observability/log.ts and nowhere else', () => {
    // Not the names of files in citations and imports.
    const writing = wordsIn(deployed, /\bconsole\.(?!(?:ts|md)\b)\w+|\bprocess\.std(?:out|err)\b/g);
    expect(writing).toEqual(['lib/observability/log.ts: process.stdout']);
  });
});

describe('the network', () => {
  it('is used by the SDK, by signed calls to S3, Lambda, Secrets Manager, CloudWatch Logs and X-Ray, and by the HTTP clients for customers’ addresses and mail providers only', () => {
    const roads =
      /\bfetch\(|'node:(?:http2?|https|net|tls|dgram)'|\b(?:XMLHttpRequest|(?<!\b(?:a|the) )WebSocket(?! API)|EventSource)\b|'undici'/g;
    expect(wordsIn(deployed, roads).sort()).toEqual([
      'lib/adapters/functions.ts: fetch(',
      'lib/adapters/log-search.ts: fetch(',
      'lib/adapters/mailbox-providers/http.ts: fetch(',
      'lib/adapters/objects.ts: fetch(',
      "lib/adapters/outbound-http.ts: 'node:http', 'node:https', 'node:net'",
      'lib/adapters/secrets-manager.ts: fetch(',
      'lib/adapters/trace-segments.ts: fetch(',
      // The module that replaces node:http in bundles; neither file makes a request.
      "lib/constructs/bundle.ts: 'node:http'",
      "lib/constructs/node-http.ts: 'node:http', WebSocket",
      // Address rules.
      "lib/core/access/ip-networks.ts: 'node:net'",
      "lib/core/domains/diagnostics/spf-policy.ts: 'node:net'",
      "lib/core/webhooks/public-address.ts: 'node:net'",
      // Status code names.
      "lib/http/openapi-errors.ts: 'node:http'",
      "lib/http/problem-body.ts: 'node:http'",
    ]);
  });
});

describe('items', () => {
  it('are decoded by codecs only: no store casts an attribute', () => {
    const casts = /\bas (?!const\b)[A-Z]\w*(?:<[^>]*>)?(?=[;,)\]}\n]| [|;])/g;
    const stores = [...imports.keys()].filter((file) => /^lib\/storage\//.test(file));
    expect(wordsIn(stores, casts).sort()).toEqual([
      // Content is one JSON text, written by the same file.
      'lib/storage/emails/email-content.ts: as EmailContent',
      // The codecs themselves.
      'lib/storage/table/codec.ts: as Attributes, as Entries, as T',
      // Names of two SDKs for one type.
      'lib/storage/table/outbox.ts: as Record<string, AttributeValue>',
      // The SDK types an item as a record of anything.
      'lib/storage/table/reads.ts: as Item',
      'lib/storage/table/table.ts: as Item',
    ]);
  });
});

describe('the table', () => {
  it('is used through four files of lib/storage only', () => {
    // Types do not exist at run time.
    const client =
      /^import\s(?!type\b)[^;]*?'@aws-sdk\/(?:client|lib)-dynamodb'|import\('@aws-sdk\/(?:client|lib)-dynamodb'/m;
    expect(deployed.filter((file) => client.test(textOf(file))).sort()).toEqual([
      'lib/storage/table/reads.ts',
      'lib/storage/table/table-client.ts',
      'lib/storage/table/table.ts',
      'lib/storage/table/transactions.ts',
    ]);
  });

  /** Top-level functions of files under a folder, with their text. */
  const functionsOf = (folder: RegExp) =>
    [...imports.keys()]
      .filter((file) => folder.test(file))
      .flatMap((file) =>
        textOf(file)
          .split(/^(?=(?:export )?(?:async )?function )/m)
          .flatMap((text) => {
            const name = /^(?:export )?(?:async )?function (\w+)/.exec(text)?.[1] ?? 'module';
            return [{ file, name, text }];
          }),
      );
  /** Store functions that read an index, which may lag behind the table. */
  const indexReaders = ['listDeliveries', 'listEmails', 'listSuppressions', 'listThreads'];
  /** The canary looks at what it sent minutes ago; unread entries of threads are in the table. */
  const lateReaders = ['announcementOf', 'readAllThreads', 'runCanary'];
  /** How those read it that leave out what is in deleted spaces. */
  const partsOfReaders: Readonly<Record<string, string>> = {
    partitionOf: 'listEmails',
    listKept: 'listSuppressions',
    queryPartition: 'listThreads',
    readState: 'listDeliveries',
  };
  /** What teardown removes; it begins again until it finds nothing, as an index lags. */
  const teardownReaders = [
    'listDraftsToRemove',
    'listEmailsToRemove',
    'listEventsToRemove',
    'listSuppressionsToRemove',
    'listThreadEntries',
  ];

  it('is read consistently, except by lists through an index', () => {
    const table = ['reads', 'table'].map((file) => textOf(`lib/storage/table/${file}.ts`)).join('\n');
    const reads = [...table.matchAll(/new (?:BatchGet|Get|Query)Command\([^;]*/g)].map(([call]) => call);
    expect(reads).toHaveLength(3);
    expect(reads.filter((call) => !call.includes('ConsistentRead: true'))).toEqual([
      'new QueryCommand({ TableName: env().TABLE_NAME, ...input }))',
    ]);
    const indexed = functionsOf(/^lib\/storage\/(?!table\/(?:table\.|paging))/)
      .filter(({ text }) => /\bindex: 'GSI|\bqueryIndex(?:\.bind)?\(/.test(text))
      .map(({ name }) => name);
    const readers = new Set(indexed.map((name) => partsOfReaders[name] ?? name));
    expect([...readers].sort()).toEqual([...indexReaders, ...teardownReaders].sort());
    expect(wordsIn(deployed, /\bIndexName\b(?=:)/g)).toEqual(['lib/storage/table/table.ts: IndexName']);
  });

  it('decides nothing by an index: only lists call the functions that read one', () => {
    const calls = new RegExp(
      String.raw`(?<!function )\b(?:${indexReaders.join('|')}|listStoredDeliveries)\(`,
    );
    const calling = functionsOf(/^lib\/(services|http)\//).filter(({ text }) => calls.test(text));
    expect(calling.map(({ name }) => name).sort()).toEqual([...indexReaders, ...lateReaders].sort());
    const tearing = new RegExp(String.raw`\b(?:${teardownReaders.join('|')})\b`);
    const tearingDown = deployed.filter(
      (file) => tearing.test(textOf(file)) && !/^lib\/storage\//.test(file),
    );
    expect(tearingDown.sort()).toEqual([
      'lib/services/erasure/erase-person.ts',
      'lib/services/retention/expire-mail.ts',
      'lib/services/teardown/phases.ts',
    ]);
    const handlers = [...imports.keys()].filter(
      (file) => /^functions\//.test(file) && calls.test(textOf(file)),
    );
    expect(handlers.sort()).toEqual([
      'functions/emails/list.ts',
      'functions/suppressions/list.ts',
      'functions/threads/list.ts',
      'functions/webhook-endpoints/list-deliveries.ts',
    ]);
  });

  it('is scanned for the operator only', () => {
    const scans =
      /\b(?:Scan|ExecuteStatement|BatchExecuteStatement|ExecuteTransaction)Command\w*|\bpaginateScan\b/g;
    // A drill copies the table of a local cloud, as DynamoDB does.
    const asking = [...imports.keys()].filter((file) => !/^(lib\/local|scripts\/restore)\//.test(file));
    expect(wordsIn(asking, scans)).toEqual(['lib/storage/table/table.ts: ScanCommand, ScanCommandInput']);
    const scanning = [...imports.keys()].filter((file) => /\bscanAll\b/.test(textOf(file)));
    expect(scanning.sort()).toEqual([
      'lib/storage/restoring/unsubmitted.ts',
      'lib/storage/table/outbox.ts',
      'lib/storage/table/table.ts',
    ]);
    const importing = (target: string) =>
      [...imports].filter(([, targets]) => targets.includes(target)).map(([file]) => file);
    expect(importing('lib/services/queues/replay-outbox.ts').sort()).toEqual([
      'bin/admin/queue-commands.ts',
      'lib/services/restoring/replay.ts',
    ]);
    const restoring = [...imports].filter(
      ([file, targets]) =>
        /^functions\//.test(file) && targets.some((target) => /\/restoring\//.test(target)),
    );
    expect(restoring).toEqual([]);
  });
});

describe('AWS clients', () => {
  it('all have the timeouts of lib/adapters/aws-clients.ts', () => {
    const made = deployed.flatMap((file) =>
      [...textOf(file).matchAll(/new \w+Client\([^;]*?\)(?:,|;)/gs)].map(([call]) => [file, call] as const),
    );
    expect(made.length).toBeGreaterThan(5);
    expect(made.filter(([, call]) => !call.includes('clientConfig('))).toEqual([]);
  });
});

describe('citations', () => {
  const files = globSync(
    [
      '*.md',
      'bench/*.md',
      'docs/**/*.md',
      '{bin,functions,lib,scripts,test}/**/*.ts',
      '.github/**/*.{md,yml}',
    ],
    {
      cwd: root,
      exclude: ['test/fixtures/**', 'test/{browser,tools}/node_modules/**'],
    },
  );

  /** The anchor that GitHub gives a heading. */
  const anchorOf = (heading: string): string =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');

  const anchorsOf = (page: string): Set<string> =>
    new Set(
      [...textOf(page).matchAll(/^#{1,6} +(.+?) *$/gm)].map(([, heading = '']) =>
        anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')),
      ),
    );

  /** Why a reference leads nowhere; null where it is right. */
  function faultOf(page: string, anchor: string | undefined): string | null {
    if (!existsSync(join(root, page))) return `${page} does not exist`;
    if (anchor === undefined || anchorsOf(page).has(anchor)) return null;
    return `${page} has no heading #${anchor}`;
  }

  it('of pages of docs/ name pages and headings that exist', () => {
    const cited = files.flatMap((file) =>
      [...textOf(file).matchAll(/\bdocs\/[\w/.-]*\w\.(?:md|json)\b(?:#([\w-]+))?/g)].map(
        ([reference, anchor]) => ({ file, page: reference.split('#')[0] ?? '', anchor }),
      ),
    );
    expect(cited.length).toBeGreaterThan(80);
    const wrong = cited.flatMap(({ file, page, anchor }) => {
      const fault = faultOf(page, anchor);
      return fault ? [`${file}: ${fault}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('of documents link pages and headings that exist', () => {
    const links = files
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...textOf(file).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
          ([, path = '', anchor]) => ({
            file,
            page: path === '' ? file : relative(root, join(root, dirname(file), path)),
            anchor,
          }),
        ),
      );
    expect(links.length).toBeGreaterThan(100);
    const wrong = links.flatMap(({ file, page, anchor }) => {
      const fault = faultOf(page, anchor);
      return fault ? [`${file}: ${fault}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it('of the walks through the code name files that exist', () => {
    const names = new Set([...files, 'vitest.config.ts'].map((file) => basename(file)));
    const walks = ['docs/architecture.md', 'CONTRIBUTING.md'].flatMap((page) =>
      [...textOf(page).matchAll(/(?<![*.\w-])[\w-]+(?:\.[\w-]+)*\.ts\b/g)].map(([name]) => name),
    );
    expect(walks.length).toBeGreaterThan(60);
    expect(walks.filter((name) => !names.has(name))).toEqual([]);
  });

  it('of documents are in lines of at most 120 characters, but for tables, code and links', () => {
    const pages = files.filter((file) =>
      /^(?:README|CONTRIBUTING|CHANGELOG|SECURITY|docs\/.*)\.?(?:md)?$/.test(file),
    );
    const wide = pages.flatMap((page) => {
      let isCode = false;
      return textOf(page)
        .split('\n')
        .flatMap((line, at) => {
          if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
          const isProse =
            !isCode && !/^\s*(?:\||<|#|\[[^\]]+\]:)/.test(line) && /\s.*\s.*\s/.test(line.trim());
          return isProse && [...line].length > 120 ? [`${page}:${at + 1}`] : [];
        });
    });
    expect(pages.length).toBeGreaterThan(50);
    expect(wide).toEqual([]);
  });

  it('name no source outside of the repository by section', () => {
    // The documents that the first version was written from are not published.
    const unpublished =
      /\b[Cc]ontract, section\b|\b[Ii]nterface, (?:"|“|general rule|rule)|\((?:interface)\b|\bdesign, invariant\b/g;
    expect(wordsIn(files, unpublished)).toEqual([]);
    expect(`(${'contract'}, section 4)`).toMatch(unpublished);
  });

  it('of anchors follow the headings of GitHub', () => {
    expect(anchorOf('Prefer: wait')).toBe('prefer-wait');
    expect(anchorOf('The email.unsubscribed event')).toBe('the-emailunsubscribed-event');
    expect(anchorOf('API 5xx responses')).toBe('api-5xx-responses');
  });
});

describe('docs/README.md', () => {
  it('links every page of docs/ but single decisions', () => {
    const index = textOf('docs/README.md');
    const pages = globSync(['**/*.md', 'openapi/*.json'], { cwd: join(root, 'docs') }).filter(
      (page) => page !== 'README.md' && !/^decisions\/\d/.test(page),
    );
    expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
  });
});

describe('docs/decisions/README.md', () => {
  const records = globSync('docs/decisions/0*.md', { cwd: root });

  it('links every record', () => {
    const index = textOf('docs/decisions/README.md');
    expect(records.length).toBeGreaterThan(30);
    expect(records.filter((record) => !index.includes(`](${basename(record)})`))).toEqual([]);
  });

  it('has the number of each file in its title', () => {
    const numberOf = (record: string) => Number.parseInt(basename(record), 10);
    expect(records.filter((record) => !textOf(record).startsWith(`# ${numberOf(record)}. `))).toEqual([]);
  });
});

describe('docs/commands.md', () => {
  it('lists every npm script', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(textOf('package.json'));
    const page = textOf('docs/commands.md');
    // npm runs this one itself.
    const { postinstall: _, ...called } = scripts;
    const missing = Object.keys(called).filter(
      (name) => !new RegExp(`\\| \`npm (?:run )?${name}(?: [^\`]*)?\``).test(page),
    );
    expect(missing).toEqual([]);
  });
});

describe('docs/table.md', () => {
  it('lists the first part of every key', () => {
    const page = textOf('docs/table.md');
    const parts = [...textOf('lib/storage/table/keys.ts').matchAll(/[`']([A-Z]{2,})(?=[#'`])/g)].map(
      ([, part = '']) => part,
    );
    expect(parts.length).toBeGreaterThan(10);
    expect([...new Set(parts)].filter((part) => !page.includes(part))).toEqual([]);
  });
});

describe('docs/architecture.md', () => {
  it('names files that exist', () => {
    const named = [...textOf('docs/architecture.md').matchAll(/`((?:test|lib)\/[\w./-]+)`/g)].map(
      ([, path = '']) => path,
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has diagrams that are drawn: Mermaid ends a message at a semicolon', () => {
    const diagrams = [...textOf('docs/architecture.md').matchAll(/^```mermaid\n(.*?)^```/gms)];
    const messages = diagrams.flatMap(([, diagram = '']) => diagram.split('\n'));
    expect(diagrams.length).toBeGreaterThan(4);
    expect(messages.filter((message) => message.includes(';'))).toEqual([]);
  });
});
