import { noChange } from 'lit';
import { type AttributePart, Directive, directive } from 'lit/directive.js';

type Styles = Readonly<Record<string, string | undefined>>;

/**
 * Stands in for Lit's directive of this name when the page is bundled: that one begins by writing the attribute `style`,
 * which the page's policy forbids, as it should. This one sets the properties.
 */
class StyleMap extends Directive {
  render(_styles: Styles): unknown {
    return noChange;
  }

  override update({ element }: AttributePart, [styles]: [Styles]): unknown {
    if (!(element instanceof HTMLElement)) return noChange;
    for (const [name, value] of Object.entries(styles)) {
      if (value) element.style.setProperty(name, value);
      else element.style.removeProperty(name);
    }
    return noChange;
  }
}

export const styleMap = directive(StyleMap);
