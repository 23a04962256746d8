/** Opens a part of the stack on its port, or explains in one sentence why that is impossible. */
import { createServer } from 'node:http';
import { listenOnLoopback } from '../../listen.ts';
import { StartError } from './start-error.ts';
import type { RequestedPorts } from './start-options.ts';

export type PortVariable = 'PORT' | 'PLATFORM_PORT' | 'PHONE_PORT';

/**
 * Runs `open` with the port. With 0, `remembered` is tried first, because the data folder contains addresses that other
 * parts have stored.
 * @throws StartError when the port is taken or may not be opened
 */
export async function openOnPort<T>(
  { variable, port, remembered }: { variable: PortVariable; port: number; remembered?: number | undefined },
  open: (port: number) => Promise<T>,
): Promise<T> {
  if (port === 0 && remembered !== undefined) {
    try {
      return await open(remembered);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  try {
    return await open(port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const portAdvice = `set ${variable} to another port, or to 0 for any free one.`;
    if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken: ${portAdvice}`);
    if (code === 'EACCES') throw new StartError(`Port ${port} may not be opened by this user: ${portAdvice}`);
    throw error;
  }
}

/**
 * Checks that the requested ports are free, before the slow part of the start.
 * @throws StartError when one cannot be opened
 */
export async function rejectTakenPorts({ service, platform, phone }: RequestedPorts): Promise<void> {
  const requestedPorts = { PORT: service, PLATFORM_PORT: platform, PHONE_PORT: phone };
  for (const [variable, port] of Object.entries(requestedPorts) as [PortVariable, number][]) {
    const openedServer = await openOnPort({ variable, port }, (givenPort) =>
      listenOnLoopback(createServer(), givenPort),
    );
    await openedServer.close();
  }
}
