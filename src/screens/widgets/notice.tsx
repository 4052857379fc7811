import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { isTemporary } from '../../core/errors.js';
import type { ScreenProblem } from '../shared/data-types.js';
import { AUTOMATIC_RETRY_MAX_SECONDS, waitSentence, waitText } from '../shared/wait-text.js';
import { isOfService } from './use-screen.js';

interface NoticeProps {
  /** Undefined if there is nothing to say. */
  readonly problem: ScreenProblem | undefined;
  /** Whether numbers of an earlier view are shown beside the notice. */
  readonly hasNumbers: boolean;
  readonly onRetry: () => void;
}

/** Says why a view has no numbers, in the words of the service, and when the page asks again. */
export function Notice({ problem, hasNumbers, onRetry }: NoticeProps): VNode | null {
  if (problem === undefined) return null;
  const { code, detail, errors = [], retryAfterSeconds } = problem;
  const old = hasNumbers ? 'The pale numbers are those of the view before.' : '';
  if (isTemporary(code)) {
    const seconds = retryAfterSeconds ?? 0;
    if (seconds > AUTOMATIC_RETRY_MAX_SECONDS) {
      return (
        <div class="notice warning">
          <p role="status">
            <strong>That is all for now.</strong> {detail} With a{' '}
            <a href="/account/sign-up">key of your own</a> the API gives more numbers. {old}
          </p>
        </div>
      );
    }
    return (
      <div class="notice warning">
        <p>
          <span role="status">
            <strong>A short pause, please.</strong> {detail.replace(waitSentence(seconds), '')} The
            view appears automatically
          </span>{' '}
          <Countdown problem={problem} seconds={seconds} /> {old}
        </p>
      </div>
    );
  }
  return (
    <div class="notice danger">
      <p role="alert">
        {errors.length > 1 ? 'This view cannot be shown:' : detail}
        {code === 'unreachable' ? ' Check your connection. The page asks again by itself.' : ''}
      </p>
      {errors.length > 1 ? (
        <ul>
          {errors.map((error) => (
            <li key={error.pointer + error.message}>{error.message}</li>
          ))}
        </ul>
      ) : null}
      {old === '' ? null : <p>{old}</p>}
      {isOfService(problem) ? (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      ) : null}
    </div>
  );
}

interface CountdownProps {
  /** Each refusal starts the time again. */
  readonly problem: ScreenProblem;
  readonly seconds: number;
}

/** The remaining time. Screen readers do not announce it, because it changes every second. */
function Countdown({ problem, seconds }: CountdownProps): VNode {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const endMs = Date.now() + seconds * 1000;
    const show = () => setLeft(Math.max(0, Math.ceil((endMs - Date.now()) / 1000)));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [problem, seconds]);
  return <span>{left === 0 ? 'now …' : `in ${waitText(left)}.`}</span>;
}
