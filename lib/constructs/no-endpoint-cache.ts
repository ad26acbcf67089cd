/**
 * Replaces `@aws-sdk/endpoint-cache` in the bundle. The DynamoDB client constructs the cache, and none of its commands
 * reads it; with its LRU map it would add 8 KB to every function.
 */
export class EndpointCache {
  /** @throws Error always: no command in use discovers endpoints */
  get(): never {
    throw new Error('endpoint discovery is not part of the bundle');
  }
}
