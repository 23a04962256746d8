/** Opens a part of the stack on its port, or says in one sentence why that cannot be. */
import { StartError } from './start-error.ts';

export type PortVariable = 'PORT' | 'PLATFORM_PORT' | 'PHONE_PORT';

/**
 * Runs `open` with the port. With 0, `remembered` is tried first: addresses that were told to others live in
 * the data folder. StartError if the port is taken or may not be opened.
 */
export async function openPort<T>(
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
    const remedy = `set ${variable} to another port, or to 0 for any free one.`;
    if (code === 'EADDRINUSE') throw new StartError(`Port ${port} is taken: ${remedy}`);
    if (code === 'EACCES') throw new StartError(`Port ${port} may not be opened by this user: ${remedy}`);
    throw error;
  }
}
