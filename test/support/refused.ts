import { expect } from 'vitest';

/** Expects that a call is refused for a reason. */
export async function refused(call: Promise<unknown>, reason: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ reason });
}
