/** The platform, the table and the secrets of a benchmark: every response is prepared before its request. */
import { createServer } from 'node:http';
import { marshall } from '@aws-sdk/util-dynamodb';
import { GRANT, grant, PLATFORM_ANSWER, RING, session, store } from './fixtures.ts';

const [, , tableName = ''] = process.argv;
const secretOf = (name: string, json: unknown) =>
  JSON.stringify({ Name: name, VersionId: grant.platformVersionId, SecretString: JSON.stringify(json) });
const answers = {
  platform: JSON.stringify(PLATFORM_ANSWER),
  table: JSON.stringify({
    Responses: { [tableName]: [marshall(session), marshall(store), marshall(grant)] },
    UnprocessedKeys: {},
  }),
  ring: secretOf('token-keys', RING),
  grant: secretOf('platform', GRANT),
};
let platformRequests = 0;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const target = request.headers['x-amz-target'];
    const isSecret = target?.toString().startsWith('secretsmanager') === true;
    if (target === undefined) platformRequests += 1;
    const secret = Buffer.concat(chunks).includes('token-keys') ? answers.ring : answers.grant;
    const body = isSecret ? secret : target === undefined ? answers.platform : answers.table;
    response.writeHead(200, {
      'content-type': target === undefined ? 'application/json' : 'application/x-amz-json-1.0',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 600_000;
process.on('message', () => process.send?.({ platformRequests }));
process.once('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') process.send?.({ port: address?.port });
});
