/** The only source of randomness: the system's cryptographic generator. */
import * as crypto from 'node:crypto';
import { promisify } from 'node:util';

/** A uniformly distributed number in [0, 1), for jitter. */
export function random(): number {
  return secureBytes(6).readUIntBE(0, 6) / 2 ** 48;
}

/** `count` unpredictable bytes, for ids, tokens and secrets. */
export function secureBytes(count: number): Buffer {
  return crypto.randomBytes(count);
}

/** A new RSA key pair in DER: the public key as SPKI, the private key as PKCS #8. Takes tenths of a second. */
export async function newRsaKeyPair(bits: number): Promise<{ publicKey: Buffer; privateKey: Buffer }> {
  return await promisify(crypto.generateKeyPair)('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
}
