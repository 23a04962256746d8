/** The file that the report grows in: whenever the run ends, it tells what is changed at the shop. */
import { renameSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../operator-error.ts';

/** Writes the lines so far in place of those before. Throws OperatorError now if the file is there or cannot be made. */
export function createReportFile(path: string): (lines: readonly string[]) => void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      throw new OperatorError(`--output ${path}: there is such a file already: no report is overwritten.`);
    throw new OperatorError(`--output ${path} cannot be written: ${code}.`, 2);
  }
  return (lines) => {
    const part = `${path}.part`;
    writeFileSync(part, `${lines.join('\n')}\n`, { mode: 0o600 });
    renameSync(part, path);
  };
}
