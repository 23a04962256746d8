/** Emulates AWS Security Token Service: returns the identity of a request's signer. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ListeningServer, listenOnLoopback } from '../listen.ts';
import { findRequestError } from './find-request-error.ts';

/** Starts the emulator on a free port. It supports only GetCallerIdentity, in AWS's query protocol. */
export function startStsEmulator(): Promise<ListeningServer> {
  const server = createServer((request, response) => {
    const respondWithIdentity = async () => {
      const { headers } = request;
      const body = await buffer(request);
      const requestError = await findRequestError({ service: 'sts', headers, body });
      const isSupported = new URLSearchParams(body.toString('utf8')).get('Action') === 'GetCallerIdentity';
      const code = requestError?.type ?? (isSupported ? undefined : 'InvalidAction');
      const callerName = /Credential=local-([^/]+)\//.exec(`${headers.authorization}`)?.[1] ?? 'nobody';
      response.writeHead(code === undefined ? 200 : 403, { 'content-type': 'text/xml' });
      response.end(code === undefined ? formatCallerIdentityXml(callerName) : formatErrorXml(code));
    };
    respondWithIdentity().catch(() => response.destroy());
  });
  return listenOnLoopback(server, 0);
}

const XML_NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const ACCOUNT_ID = '000000000000';

function formatCallerIdentityXml(callerName: string): string {
  const arn = `arn:aws:sts::${ACCOUNT_ID}:assumed-role/local/${callerName}`;
  return `<GetCallerIdentityResponse xmlns="${XML_NAMESPACE}"><GetCallerIdentityResult><Arn>${arn}</Arn><UserId>AROALOCAL:${callerName}</UserId><Account>${ACCOUNT_ID}</Account></GetCallerIdentityResult><ResponseMetadata><RequestId>local</RequestId></ResponseMetadata></GetCallerIdentityResponse>`;
}

function formatErrorXml(code: string): string {
  return `<ErrorResponse xmlns="${XML_NAMESPACE}"><Error><Type>Sender</Type><Code>${code}</Code><Message>${code}</Message></Error><RequestId>local</RequestId></ErrorResponse>`;
}
