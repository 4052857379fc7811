import { LRUCache } from 'lru-cache';
import type { DrawnPerson, ViewName } from '../../../drawing/drawing.js';
import type { PersonToDraw } from '../../../drawing/person-drawer.js';
import type { PeopleToDraw } from '../../../request/tasks.js';

/** Draws one person. */
type Make = (person: PersonToDraw, views: readonly ViewName[]) => Promise<DrawnPerson>;

/** Drawn people by artifact, person and view, the latest used kept. */
export class DrawingCache {
  private readonly kept: LRUCache<string, string>;
  /** People who are being drawn, so that several requests for one draw them once. */
  private readonly underWay = new Map<string, Promise<DrawnPerson>>();

  constructor(bytes: number) {
    this.kept = new LRUCache({ maxSize: bytes, sizeCalculation: ({ length }) => length });
  }

  /**
   * The drawn people of a request, one after the other, so that each takes a turn of its own.
   *
   * @param make draws a person who is not kept
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
