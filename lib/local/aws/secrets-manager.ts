/** Secrets Manager (AWS JSON 1.1): reading of secrets that the local cloud was started with. */
import * as z from 'zod';
import { jsonBody, jsonError, jsonResponse, parseInput, targetOperation } from './json-protocol.ts';
import { AwsError, type AwsService } from './service.ts';

const operations = ['GetSecretValue'] as const;
const input = z.strictObject({ SecretId: z.string().min(1) });

/** @param secrets texts by the ARN of their secret */
export function createSecretsManager(secrets: ReadonlyMap<string, string>): AwsService {
  return {
    name: 'secretsmanager',
    action: (call) => targetOperation(call, 'secretsmanager', operations),
    permissions: (call) => [
      {
        action: `secretsmanager:${targetOperation(call, 'secretsmanager', operations)}`,
        resource: parseInput(input, jsonBody(call)).SecretId,
      },
    ],
    errorResponse: (refusal) => jsonError(refusal, '1.1'),
    async handle(call) {
      const { SecretId: arn } = parseInput(input, jsonBody(call));
      const text = secrets.get(arn);
      if (text === undefined) {
        throw new AwsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
      }
      return jsonResponse({ ARN: arn, Name: arn.split(':').at(-1), SecretString: text }, '1.1');
    },
  };
}
