import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keptKey } from '../../../bin/local/demo.ts';
import { deleteKey } from '../../../lib/services/api-keys/api-keys.ts';
import { api } from '../../support/api.ts';
import { workspace } from '../../support/workspace.ts';

describe('keptKey', () => {
  it('is the same at each start while it is valid, and its owner alone may read it', async () => {
    const [own, other] = [await workspace(), await workspace()];
    const folder = mkdtempSync(join(tmpdir(), 'parley-key-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'api-key');
    const first = await keptKey(own.id, file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await keptKey(own.id, file)).toEqual(first);
    await deleteKey(own.id, first.keyId);
    chmodSync(file, 0o644);
    const second = await keptKey(own.id, file);
    expect(second.token).not.toBe(first.token);
    expect((await api(second.token).get('/spaces')).status).toBe(200);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const useless of ['', 'pk_forged\n', other.key]) {
      writeFileSync(file, useless);
      const { token } = await keptKey(own.id, file);
      expect([useless.trim(), other.key]).not.toContain(token);
    }
  });
});
