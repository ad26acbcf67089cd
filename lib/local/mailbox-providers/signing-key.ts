/** The RSA key with which the emulated providers sign JSON Web Tokens (RFC 7519). */
import {
  exportJWK,
  type GenerateKeyPairResult,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';

interface SigningKey {
  readonly privateKey: GenerateKeyPairResult['privateKey'];
  readonly publicJwk: JWK;
}

const keyId = 'local-key-1';
let key: Promise<SigningKey> | undefined;

/** Created at first use, as it takes a while, and shared by all clouds of the process. */
function signingKey(): Promise<SigningKey> {
  key ??= generateKeyPair('RS256').then(async ({ privateKey, publicKey }) => ({
    privateKey,
    publicJwk: { ...(await exportJWK(publicKey)), kid: keyId, use: 'sig', alg: 'RS256' },
  }));
  return key;
}

export async function signJwt(claims: JWTPayload): Promise<string> {
  const { privateKey } = await signingKey();
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: keyId, typ: 'JWT' }).sign(privateKey);
}

/** The public key as a JWK set (RFC 7517 section 5). */
export async function publicKeySet(): Promise<{ keys: JWK[] }> {
  return { keys: [(await signingKey()).publicJwk] };
}
