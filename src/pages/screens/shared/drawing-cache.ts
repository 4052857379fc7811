import { LRUCache } from 'lru-cache';
import type { DrawnPerson, ViewName } from '../../../render/drawing.js';
import type { PersonToDraw } from '../../../render/person-drawer.js';
import type { PeopleToDraw } from './page-tasks.js';

/** Draws one person. */
type Make = (person: PersonToDraw, views: readonly ViewName[]) => Promise<DrawnPerson>;

/** A cache of drawn people by artifact, views and person. It keeps the most recently used drawings. */
export class DrawingCache {
  private readonly kept: LRUCache<string, string>;
  /** People who are being drawn now. Requests for the same person share one computation. */
  private readonly underWay = new Map<string, Promise<DrawnPerson>>();

  constructor(bytes: number) {
    this.kept = new LRUCache({ maxSize: bytes, sizeCalculation: ({ length }) => length });
  }

  /**
   * The drawn people of a request. They are drawn one after the other, so that each takes its own turn.
   *
   * @param make draws a person who is not in the cache
   */
  async drawn(
    artifactVersion: string,
    { people, views }: PeopleToDraw,
    make: Make,
  ): Promise<readonly DrawnPerson[]> {
    const drawn: DrawnPerson[] = [];
    for (const person of people) drawn.push(await this.one(artifactVersion, person, views, make));
    return drawn;
  }

  private async one(
    artifactVersion: string,
    person: PersonToDraw,
    views: readonly ViewName[],
    make: Make,
  ): Promise<DrawnPerson> {
    const key = JSON.stringify([artifactVersion, views, person]);
    const known = this.kept.get(key);
    if (known !== undefined) return JSON.parse(known) as DrawnPerson;
    const making = this.underWay.get(key) ?? make(person, views);
    this.underWay.set(key, making);
    try {
      const made = await making;
      this.kept.set(key, JSON.stringify(made));
      return made;
    } finally {
      this.underWay.delete(key);
    }
  }
}
