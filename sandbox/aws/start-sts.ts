/** Emulates AWS Security Token Service: returns the identity of a request's signer. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listen } from '../listen.ts';
import { refusalOf } from './refusal.ts';

/** Starts it on a free port. It supports only GetCallerIdentity, in AWS's query protocol. */
export function startSts(): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    const respond = async () => {
      const { headers } = request;
      const body = await buffer(request);
      const refusal = await refusalOf({ service: 'sts', headers, body });
      const isKnown = new URLSearchParams(body.toString('utf8')).get('Action') === 'GetCallerIdentity';
      const code = refusal?.type ?? (isKnown ? undefined : 'InvalidAction');
      const name = /Credential=local-([^/]+)\//.exec(`${headers.authorization}`)?.[1] ?? 'nobody';
      response.writeHead(code === undefined ? 200 : 403, { 'content-type': 'text/xml' });
      response.end(code === undefined ? identityOf(name) : errorOf(code));
    };
    respond().catch(() => response.destroy());
  });
  return listen(server, 0);
}

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const ACCOUNT = '000000000000';

function identityOf(name: string): string {
  const arn = `arn:aws:sts::${ACCOUNT}:assumed-role/local/${name}`;
  return `<GetCallerIdentityResponse xmlns="${NAMESPACE}"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AROALOCAL:${name}</UserId><Account>${ACCOUNT}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>local</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;
}

function errorOf(code: string): string {
  return `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error><RequestId>local</RequestId></ErrorResponse>`;
}
