/**
 * Readies the browser of the tests: installs test/browser where it does not match its lock file, and writes down which
 * Chromium the tests start. Does nothing in a tenth of a second when all is there.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = join(import.meta.dirname, '../../test/browser');
const modules = join(folder, 'node_modules');
/** What test/support/browser/chromium.ts reads: {executable, env}. */
const record = join(modules, '.chromium.json');

const wanted = process.env.PARLEY_CHROMIUM;
/** The registry has Chromium for these machines only. */
const isPackaged = !wanted && process.platform === 'linux' && process.arch === 'x64';

const read = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null);

function isInstalled() {
  const versions = (lock) =>
    Object.entries(lock?.packages ?? {}).flatMap(([path, { optional, version }]) =>
      path === '' || (optional && !isPackaged) ? [] : [`${path}@${version}`],
    );
  const there = new Set(versions(read(join(modules, '.package-lock.json'))));
  return versions(read(join(folder, 'package-lock.json'))).every((one) => there.has(one));
}

function install() {
  const { npm_execpath: npm } = process.env;
  if (!npm) throw new Error('run "npm run browser"');
  const omitted = isPackaged ? [] : ['--omit=optional'];
  execFileSync(process.execPath, [npm, 'ci', '--prefix', folder, ...omitted], { stdio: 'inherit' });
}

/** Where installers put Chrome and Chromium. */
function usualPlaces() {
  const { LOCALAPPDATA, PROGRAMFILES, 'PROGRAMFILES(X86)': programs86 } = process.env;
  if (process.platform === 'darwin') {
    return ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  }
  if (process.platform === 'win32') {
    return [PROGRAMFILES, programs86, LOCALAPPDATA]
      .filter(Boolean)
      .flatMap((root) =>
        ['Google/Chrome', 'Chromium', 'Microsoft/Edge'].map((name) =>
          join(root, name, 'Application', name.endsWith('Edge') ? 'msedge.exe' : 'chrome.exe'),
        ),
      );
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return ['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((bin) => names.map((name) => join(bin, name)));
}

/** Unpacks the browser of the registry below node_modules, where the next `npm ci` removes it. */
async function unpacked() {
  // The package unpacks to the folder of temporary files, and takes whatever is there for its own.
  const target = join(modules, '.chromium');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  process.env.TMPDIR = target;
  const home = join(modules, '@sparticuz/chromium');
  const { default: chromium, inflate } = await import(pathToFileURL(join(home, 'build/index.js')).href);
  const executable = await chromium.executablePath();
  if (starts(executable, {})) return { executable, env: {} };
  // Libraries that a bare system lacks.
  await inflate(join(home, 'bin/al2023.tar.br'));
  return { executable, env: { LD_LIBRARY_PATH: join(target, 'al2023/lib') } };
}

function starts(executable, env) {
  try {
    execFileSync(executable, ['--no-sandbox', '--version'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
    });
    return true;
  } catch {
    return false;
  }
}

async function found() {
  if (isPackaged) return await unpacked();
  const executable = wanted ?? usualPlaces().find((path) => existsSync(path));
  return { executable, env: {} };
}

const known = read(record);
const isPacked = known?.executable.startsWith(modules) === true;
const isKnown =
  existsSync(known?.executable ?? '') && (wanted ? known.executable === wanted : isPacked === isPackaged);
if (!isKnown || !isInstalled()) {
  if (!isInstalled()) install();
  const { executable, env } = await found();
  if (existsSync(executable ?? '')) writeFileSync(record, JSON.stringify({ executable, env }));
  else {
    console.error(
      wanted
        ? `There is no ${wanted}: set PARLEY_CHROMIUM to the program of a Chrome or Chromium.`
        : `The tests need a browser, which npm does not have for ${process.platform}-${process.arch}: install Chrome or Chromium, or set PARLEY_CHROMIUM to its program.`,
    );
    process.exitCode = 1;
  }
}
