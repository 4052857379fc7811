import type { VNode } from 'preact';
import type { LookProblem } from '../../src/pages/explorer/look-types.js';

interface NoticeProps {
  readonly problem: LookProblem;
  readonly onRetry: () => void;
}

/** Why there is no answer, in the service's own words. */
export function Notice({ problem, onRetry }: NoticeProps): VNode {
  const { code, detail, errors = [], retryAfterSeconds } = problem;
  if (code === 'rate_limited') {
    return (
      <div class="notice warning" role="status">
        <p>
          <strong>A short pause, please.</strong> {detail}{' '}
          {(retryAfterSeconds ?? 0) <= 90
            ? 'The view you asked for then appears by itself.'
            : 'For more, use the API.'}
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
