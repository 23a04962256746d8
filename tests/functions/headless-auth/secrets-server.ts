import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** GetSecretValue of one secret, in Secrets Manager's JSON protocol. */
export async function startSecretsServer(name: string, json: unknown): Promise<Server & { url: string }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const isKnown = JSON.parse(body).SecretId === name;
    response.writeHead(isKnown ? 200 : 400, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(
        isKnown
          ? { Name: name, VersionId: 'v1', SecretString: JSON.stringify(json) }
          : { __type: 'ResourceNotFoundException' },
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}
