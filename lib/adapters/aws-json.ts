/** Services that speak AWS's JSON protocol: every action is a POST that names it in a header ("AWS JSON 1.0 protocol", Smithy). */
import { type AwsService, serviceCaller } from './aws-http.ts';

/** A service with the prefix of its actions and the version of the protocol. */
export interface JsonService extends AwsService {
  readonly prefix: string;
  readonly version: '1.0' | '1.1';
}

/**
 * The actions of a service, by name. The connections are kept for the life of the function.
 *
 * @param endpoint scheme and host; default: those of the service
 * @throws ServiceError; errors of the connection
 */
export function jsonCaller(
  service: JsonService,
): (action: string, input: object, endpoint?: string) => Promise<unknown> {
  let send: ReturnType<typeof serviceCaller> | undefined;
  return (action, input, endpoint) => {
    // At the first call: the operator's command line sets the environment before.
    send ??= serviceCaller(service);
    return send({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': `application/x-amz-json-${service.version}`,
        'x-amz-target': `${service.prefix}.${action}`,
      },
      body: JSON.stringify(input),
      ...(endpoint !== undefined && { endpoint }),
    });
  };
}
