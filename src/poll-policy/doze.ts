const FIRST_SHARE = 0.95;
const LEAST_DOZING = 0.002;
const MOST_DOZING = 0.2;
const STEP = 0.02;
/** What looking at one that is asleep costs, in looks at one that is awake: it may have to be put to sleep anew. */
const ASLEEP_COST = 3;

/** How long endpoints sleep: until their urgency is this share of what was enough to be picked lately. */
export interface Doze {
  readonly share: number;
  /** A pick has looked at the endpoints that are awake, so many of all there are. */
  lookedAtAwake(awake: number, all: number): void;
  /** Those were not enough: it had to look at so many others of all there are. */
  lookedAtAsleep(scanned: number, all: number): void;
}

/** Who sleeps longer is looked at less often, but misses its turn more often. As much work is to go into one as into the other. */
export function createDoze(): Doze {
  let dozing = 1 - FIRST_SHARE;
  const step = (by: number): void => {
    dozing = Math.min(MOST_DOZING, Math.max(LEAST_DOZING, dozing * Math.exp(STEP * by)));
  };
  return {
    get share() {
      return 1 - dozing;
    },
    lookedAtAwake: (awake, all) => step(-awake / Math.max(1, all)),
    lookedAtAsleep: (scanned, all) => step((ASLEEP_COST * scanned) / Math.max(1, all)),
  };
}
