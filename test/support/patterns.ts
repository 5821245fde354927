import { analyse } from 'scslre';

/**
 * Returns the parts of a pattern that can take superlinear time on a text of one repeated
 * character; empty if it needs a single pass. If two parts match the same character, every division
 * between them is tried. If a part may begin anywhere and something after it never matches, it is
 * tried from every position.
 */
export function slowParts({ source, flags }: Pick<RegExp, 'source' | 'flags'>): string[] {
  return analyse({ source, flags }).reports.flatMap((report) => {
    const parts = report.type === 'Trade' ? [report.startQuant, report.endQuant] : [report.quant];
    return parts.map(({ raw }) => raw).join(' then ');
  });
}
