import type { VNode } from 'preact';
import { isTemporary } from '../../src/core/errors.js';
import type { ScreenProblem } from '../../src/pages/screens/shared/data-types.js';

interface NoticeProps {
  readonly problem: ScreenProblem;
  readonly onRetry: () => void;
}

/** Shows why a view has no chart, in the words of the service. */
export function Notice({ problem, onRetry }: NoticeProps): VNode {
  const { code, detail, errors = [], retryAfterSeconds } = problem;
  if (isTemporary(code)) {
    return (
      <div class="notice warning" role="status">
        <p>
          <strong>A short pause, please.</strong> {detail}{' '}
          {(retryAfterSeconds ?? 0) <= 90
            ? 'Then the view appears automatically.'
            : 'To get more numbers, use the API.'}
        </p>
      </div>
    );
  }
  return (
    <div class="notice danger" role="alert">
      <p>{errors.length > 1 ? 'This view cannot be shown:' : detail}</p>
      {errors.length > 1 ? (
        <ul>
          {errors.map((error) => (
            <li key={error.pointer + error.message}>{error.message}</li>
          ))}
        </ul>
      ) : null}
      {problem.status === 0 || problem.status >= 500 ? (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}
