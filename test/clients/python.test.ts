import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { MEASUREMENTS } from '../../src/core/measurements.js';
import { projectDir } from '../../src/core/project-dir.js';
import { findProgram } from '../support/programs.js';
import { havePython, PYTHON } from '../support/python.js';
import { WITHOUT_MODEL } from '../support/tiny-artifact.js';
import { startFaultyService } from './faulty-service.js';
import { runProgram } from './run-program.js';

const FOLDER = join(projectDir(), 'clients/python');
/** The synchronous client is written from the other one, so its tests repeat those of that one. */
const WORDS = ['-W', 'error::ResourceWarning', 'tests/test_client.py', '-v', 'AsynchronousTests'];

const faulty = await startFaultyService();
afterAll(() => faulty.close());

describe.skipIf(!havePython)('the Python client', () => {
  it('passes its tests with the Python of Debian', async () => {
    const [python] = PYTHON.map(findProgram);
    const oneSided = MEASUREMENTS.find(({ genders }) => genders.length === 1);
    const env = {
      VITRUVIA_FAULTY_SERVICE: faulty.url,
      VITRUVIA_WITHOUT_MODEL: WITHOUT_MODEL,
      VITRUVIA_ONE_SIDED: oneSided?.name ?? '',
    };
    const { code, text } = await runProgram(python ?? '', WORDS, { cwd: FOLDER, env });
    expect(code, text).toBe(0);
    expect(text).toContain('\nRan 24 tests');
    expect(text.match(/test_tables_become_dataframes .*\.\.\. ok/g)).toHaveLength(1);
    expect(text).not.toContain('ResourceWarning');
  });
});
