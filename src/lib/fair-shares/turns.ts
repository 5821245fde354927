import TinyQueue from 'tinyqueue';
import type { Account } from './account.ts';

/** Something that waits for a turn. */
export interface Waiter {
  readonly account: Account;
  /** Part that takes turns within the owner: a channel, or a person who types. */
  readonly lane: string;
}

/**
 * A payer, an owner or a lane. Tags are shares of service: one turn costs 1, divided by the weight.
 */
interface Node<W> {
  readonly key: string;
  weight: number;
  /** Start tag of its next turn. */
  start: number;
  /** Start tag of the turn that was given last among its children: where a newcomer begins. */
  virtualTime: number;
  /** Order of arrival, for equal tags. */
  arrival: number;
  /**
   * True while it stands in the line of its parent. A node in which nobody waits any longer leaves
   * the line only when it comes first.
   */
  isInLine: boolean;
  readonly children: Map<string, Node<W>>;
  readonly ready: TinyQueue<Node<W>>;
  /** Waiters of a lane; a payer and an owner have none of their own. */
  readonly waiters: Set<W>;
  /** Number of waiters below it. */
  waiting: number;
}

export type Turns<W extends Waiter> = ReturnType<typeof createTurns<W>>;

/**
 * A queue in which payers take turns, within a payer its owners, and within an owner its lanes,
 * each in the order of arrival: start-time fair queueing on each level (Goyal, Vin & Cheng,
 * "Start-time fair queuing", 1996). Whoever begins to wait starts level with those that wait: what
 * others took while alone is not held against them, nor saved up. A turn takes some log₂ of the
 * payers, owners and lanes that wait.
 */
export function createTurns<W extends Waiter>() {
  const tree = createTree<W>();
  let size = 0;
  let turnsSinceForgotten = 0;

  /** Looks at all of them once in as many turns as there are of them. */
  const forgetNowAndThen = (): void => {
    turnsSinceForgotten += 1;
    if (turnsSinceForgotten < tree.nodes) return;
    turnsSinceForgotten = 0;
    tree.forget();
  };

  return {
    add(waiter: W): void {
      const [payer, owner, lane] = tree.pathOf(waiter);
      if (lane.waiters.has(waiter)) return;
      lane.waiters.add(waiter);
      size += 1;
      tree.enter(tree.root, payer);
      tree.enter(payer, owner);
      tree.enter(owner, lane);
    },
    /** Takes out one that waits no longer. */
    remove(waiter: W): void {
      const path = tree.pathOf(waiter);
      const [, , lane] = path;
      if (!lane.waiters.delete(waiter)) return;
      size -= 1;
      for (const node of path) node.waiting -= 1;
    },
    /**
     * Takes the one whose turn it is.
     *
     * @param mayTake whether an account may have a turn now; those that may not keep their place
     * @returns null if none waits that may have it
     */
    take(mayTake: (account: Account) => boolean = () => true): W | null {
      const taken = takeFrom(tree.root, mayTake);
      if (taken === null) return null;
      size -= 1;
      forgetNowAndThen();
      return taken;
    },
    get size(): number {
      return size;
    },
    /** Payers, owners and lanes that are remembered. */
    get nodes(): number {
      return tree.nodes;
    },
    /** Comparisons made until now. */
    get steps(): number {
      return tree.steps;
    },
  };
}

/** Payers, their owners and their lanes. */
function createTree<W extends Waiter>() {
  let arrivals = 0;
  let nodes = 0;
  let steps = 0;

  const isEarlier = (a: Node<W>, b: Node<W>): number => {
    steps += 1;
    return a.start - b.start || a.arrival - b.arrival;
  };

  const createNode = (key: string, start: number): Node<W> => ({
    key,
    weight: 1,
    start,
    virtualTime: 0,
    arrival: 0,
    isInLine: false,
    children: new Map(),
    ready: new TinyQueue<Node<W>>([], isEarlier),
    waiters: new Set(),
    waiting: 0,
  });

  const root = createNode('', 0);

  const childOf = (parent: Node<W>, key: string): Node<W> => {
    const known = parent.children.get(key);
    if (known !== undefined) return known;
    const child = createNode(key, parent.virtualTime);
    parent.children.set(key, child);
    nodes += 1;
    return child;
  };

  return {
    root,
    pathOf({ account, lane }: W): readonly [Node<W>, Node<W>, Node<W>] {
      const payer = childOf(root, account.payer);
      payer.weight = account.weight;
      const owner = childOf(payer, account.owner);
      return [payer, owner, childOf(owner, lane)];
    },
    /** Counts one more that waits below a child, which stands in the line of its parent then. */
    enter(parent: Node<W>, child: Node<W>): void {
      child.waiting += 1;
      if (child.isInLine) return;
      child.start = Math.max(child.start, parent.virtualTime);
      arrivals += 1;
      child.arrival = arrivals;
      child.isInLine = true;
      parent.ready.push(child);
    },
    /** Forgets who does not wait, and would begin level with the others again. */
    forget(): void {
      nodes -= forgetBelow(root);
    },
    get nodes(): number {
      return nodes;
    },
    get steps(): number {
      return steps;
    },
  };
}

/** Takes the first child that waits; those whose waiters have gone leave the line here. */
function firstReady<W>(parent: Node<W>): Node<W> | undefined {
  for (;;) {
    const first = parent.ready.pop();
    if (first === undefined || first.waiting > 0) return first;
    first.isInLine = false;
  }
}

/** Gives a turn to the first child of a node that may have it. */
function takeFrom<W extends Waiter>(
  parent: Node<W>,
  mayTake: (account: Account) => boolean,
): W | null {
  const passedOver: Node<W>[] = [];
  let taken: W | null = null;
  while (taken === null) {
    const child = firstReady(parent);
    if (child === undefined) break;
    taken = child.waiters.size > 0 ? takeWaiter(child, mayTake) : takeFrom(child, mayTake);
    if (taken === null) passedOver.push(child);
    else {
      child.waiting -= 1;
      parent.virtualTime = Math.max(parent.virtualTime, child.start);
      child.start += 1 / child.weight;
      child.isInLine = child.waiting > 0;
      if (child.isInLine) parent.ready.push(child);
    }
  }
  for (const child of passedOver) parent.ready.push(child);
  return taken;
}

function takeWaiter<W extends Waiter>(
  lane: Node<W>,
  mayTake: (account: Account) => boolean,
): W | null {
  const [first] = lane.waiters;
  if (first === undefined || !mayTake(first.account)) return null;
  lane.waiters.delete(first);
  return first;
}

/** @returns how many nodes were forgotten */
function forgetBelow<W>(parent: Node<W>): number {
  let forgotten = 0;
  for (const [key, child] of parent.children) {
    const isLevel = child.start <= parent.virtualTime;
    if (child.isInLine || !isLevel) forgotten += forgetBelow(child);
    else {
      parent.children.delete(key);
      forgotten += 1 + countBelow(child);
    }
  }
  return forgotten;
}

function countBelow<W>(parent: Node<W>): number {
  let count = parent.children.size;
  for (const child of parent.children.values()) count += countBelow(child);
  return count;
}
