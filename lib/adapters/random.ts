/** The one source of randomness: the system's generator. What is made of it stands in `ids.ts` and in the rules that take it. */
import * as crypto from 'node:crypto';
import { promisify } from 'node:util';

/** A number in [0, 1), each as likely as any other: for jitter. It comes from the generator that makes secrets, too. */
export function random(): number {
  return secureBytes(6).readUIntBE(0, 6) / 2 ** 48;
}

/** `count` bytes that nobody can guess: for ids, tokens and secrets. */
export function secureBytes(count: number): Buffer {
  return crypto.randomBytes(count);
}

/** A fresh RSA key pair in DER: the public key as SPKI, the private key as PKCS #8. Takes tenths of a second. */
export async function newRsaKeyPair(bits: number): Promise<{ publicKey: Buffer; privateKey: Buffer }> {
  return await promisify(crypto.generateKeyPair)('rsa', {
    modulusLength: bits,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
}
