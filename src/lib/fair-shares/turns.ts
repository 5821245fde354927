import TinyQueue from 'tinyqueue';
import type { Account } from './account.ts';

/** Something that waits for a turn. */
export interface Waiter {
  readonly account: Account;
  /** Subdivision of an owner that takes turns: a channel, or a person who uses a command. */
  readonly lane: string;
}

/**
 * A payer, an owner or a lane. Tags are units of service: one turn costs 1 divided by the weight.
 */
interface Node<W> {
  readonly key: string;
  weight: number;
  /** Start tag of its next turn. */
  start: number;
  /** Start tag of the last turn among its children, where newcomers start. */
  virtualTime: number;
  /** Order of arrival, for equal tags. */
  arrival: number;
  /**
   * True while it is in its parent's queue. A node without waiters leaves the queue only when it
   * reaches the front.
   */
  isInLine: boolean;
  readonly children: Map<string, Node<W>>;
  readonly ready: TinyQueue<Node<W>>;
  /** Waiters of a lane; payers and owners have none of their own. */
  readonly waiters: Set<W>;
  /** Number of waiters below it. */
  waiting: number;
}

export type Turns<W extends Waiter> = ReturnType<typeof createTurns<W>>;

/**
 * A queue in which payers take turns, within a payer its owners, and within an owner its lanes,
 * each in order of arrival: start-time fair queueing on each level (Goyal, Vin & Cheng, "Start-time
 * fair queuing", 1996). A newcomer starts level with those that wait; use while alone neither
 * counts against anybody nor earns credit. A turn takes about log₂ steps of the number of waiting
 * payers, owners and lanes.
 */
export function createTurns<W extends Waiter>() {
  const tree = createTree<W>();
  let size = 0;
  let turnsSinceForgotten = 0;

  /** Examines all nodes once in as many turns as there are nodes. */
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
    /** Removes a waiter that no longer waits. */
    remove(waiter: W): void {
      const path = tree.pathOf(waiter);
      const [, , lane] = path;
      if (!lane.waiters.delete(waiter)) return;
      size -= 1;
      for (const node of path) node.waiting -= 1;
    },
    /**
     * Takes the next waiter.
     *
     * @param mayTake whether an account may have a turn now; others keep their place
     * @returns null if no waiter may have a turn
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
    /** Number of payers, owners and lanes in memory. */
    get nodes(): number {
      return tree.nodes;
    },
    /** Number of comparisons made so far. */
    get steps(): number {
      return tree.steps;
    },
  };
}

/** The tree of payers, their owners and their lanes. */
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
    /** Counts one more waiter below a child, which joins its parent's queue if needed. */
    enter(parent: Node<W>, child: Node<W>): void {
      child.waiting += 1;
      if (child.isInLine) return;
      child.start = Math.max(child.start, parent.virtualTime);
      arrivals += 1;
      child.arrival = arrivals;
      child.isInLine = true;
      parent.ready.push(child);
    },
    /** Removes nodes that do not wait and would start level with the others anyway. */
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

/** Takes the first child with waiters; children without waiters leave the queue here. */
function firstReady<W>(parent: Node<W>): Node<W> | undefined {
  for (;;) {
    const first = parent.ready.pop();
    if (first === undefined || first.waiting > 0) return first;
    first.isInLine = false;
  }
}

/** Gives a turn to the first child of a node that may have one. */
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

/** @returns the number of nodes removed */
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
