import type { AnswerWords } from '../en/answers.ts';
import type { Terms } from '../terms.ts';

export const answers = ({ slash }: Terms): AnswerWords => ({
  wallet: {
    noneInMessage: 'No encuentro ninguna dirección de wallet en este mensaje.',
    firstOf: (shown, all) => `Las primeras ${shown} de las ${all} wallets de este mensaje:`,
    several: (addresses) => `Hay varias direcciones: ${addresses}. Indica solo una.`,
    andMore: (shown, more) => `${shown} y ${more} más`,
    transaction: (hash) =>
      `${hash} es una transacción, no una wallet. ` +
      'Indica la dirección de una wallet: 0x seguido de 40 dígitos hexadecimales.',
  },
  leftOut: {
    picture: (why) => `Falta el gráfico: ${why}`,
    file: (why) => `Falta el archivo: ${why}`,
    why: {
      permission: (permission) => `necesito «${permission}» en este canal.`,
      size: 'demasiado grande para Discord.',
      other: 'Discord no lo aceptó.',
    },
  },
  welcome: (permission) =>
    '¡Hola! Publico cada compra, venta, canje, depósito y retiro de las wallets que elijas. ' +
    'Para empezar, ' +
    `escribe ${slash.add} y la dirección o el enlace de una wallet en el canal que deba ` +
    `recibir las alertas; necesitas el permiso «${permission}». ` +
    `${slash.activity} muestra las operaciones de cualquier wallet.`,
});
