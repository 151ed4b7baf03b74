import type { Notice } from '../../../domain/notices.ts'
import { type MailTexts, sentence } from '../mail-words.ts'
import { type PolicyWords, policyMail } from '../policy-mail.ts'
import { shownTime } from '../shown-values.ts'

const locale = 'es'

const notices: Record<Notice, string> = {
  password_changed: 'se cambió la contraseña y se cerraron todas las demás sesiones',
  password_reset: 'se restableció la contraseña con un enlace y se cerraron todas las sesiones',
  totp_added: 'se configuró una aplicación de autenticación',
  totp_removed: 'se quitó la aplicación de autenticación',
  passkey_added: 'se añadió una passkey',
  passkey_removed: 'se quitó una passkey',
  recovery_codes_made: 'se crearon códigos de recuperación nuevos',
  recovery_code_used: 'se usó un código de recuperación',
  sign_in_slowed:
    'alguien introdujo varias veces contraseñas o códigos incorrectos y ahora debe esperar entre intentos',
}

const policy: PolicyWords = {
  subjects: {
    proposed: (merchant) => `${merchant}: se propuso relajar la política de pagos reales`,
    agreed: (merchant) => `${merchant}: se aprobó relajar la política de pagos reales`,
    applied: (merchant) => `${merchant}: se relajó la política de pagos reales`,
    withdrawn: (merchant) => `${merchant}: se retiró un cambio de la política de pagos reales`,
    superseded: (merchant) =>
      `${merchant}: se reemplazó un cambio de la política de pagos reales y no se aplicará`,
  },
  rules: {
    maxPayout: 'Máximo por pago saliente',
    maxDay: 'Máximo en 24 horas',
    onlyKnownDestinations: 'Solo destinos conocidos',
    approvalsRequired: 'Personas que deben aprobar',
    coolingOffSeconds: 'Horas entre aprobación y envío',
    approval: 'Aprobaciones firmadas con una passkey',
  },
  values: { yes: 'sí', no: 'no', none: 'ninguno' },
  destination: (place) => `Nuevo destino permitido: ${place}`,
  by: 'De',
  service: 'el propio servicio',
  changes: 'El cambio',
  takesEffect: 'Se aplica',
  colon: ': ',
  missing: (count) =>
    count === 1
      ? 'cuando lo haya aprobado una persona más y haya pasado el tiempo de espera'
      : `cuando lo hayan aprobado ${count} personas más y haya pasado el tiempo de espera`,
  stop: (url) =>
    `Si no esperaba este cambio, retírelo antes de que se aplique y hable con quien lo propuso:\n${url}`,
  undo: (url) =>
    `Si no esperaba este cambio, vuelva a endurecer la política, lo que se aplica de inmediato:\n${url}`,
  look: (url) => `La política vigente: ${url}`,
}

export const spanish: MailTexts = {
  policyChange: (notice, url) => policyMail(policy, locale, notice, url),
  roles: {
    owner: 'propietario',
    admin: 'administrador',
    finance: 'finanzas',
    developer: 'desarrollador',
    viewer: 'lector',
  },
  reset: (link) => ({
    subject: 'Nueva contraseña para Sluice',
    text: `Alguien pidió una contraseña nueva para su cuenta. Si fue usted, elíjala aquí antes de una hora:\n\n${link}\n\nEl enlace sirve una sola vez, y solo vale el más reciente. Si no fue usted, puede ignorar este correo.\n`,
  }),
  invitation: (link, merchant, role) => ({
    subject: `Tiene una invitación de ${merchant}`,
    text: `Le invitan a unirse a ${merchant} en Sluice. Su rol: ${role}. Acepte la invitación aquí en un plazo de siete días:\n\n${link}\n\nEl enlace sirve una sola vez, y solo vale el más reciente. Si no esperaba esta invitación, puede ignorar este correo.\n`,
  }),
  notice: (notice, url) => ({
    subject: `Su cuenta: ${notices[notice]}`,
    text: `${sentence(notices[notice])}.\n\nSi fue usted, no tiene que hacer nada. Si no, elija una contraseña nueva en ${url}/dashboard y avise al operador del servicio.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'Su cuenta: inicio de sesión desde un dispositivo nuevo',
    text: `Alguien inició sesión en su cuenta desde un dispositivo que no se había usado antes para ella.\n\nCuándo: ${shownTime(locale, at)}\nNavegador: ${browser}\nDirección IP: ${ip}\n\nSi fue usted, no tiene que hacer nada. Si no, cierre todas las demás sesiones y elija una contraseña nueva en ${url}/dashboard/account, y avise al operador del servicio.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant}: el firmante confiará en otra passkey`,
    text: `Desde el ${shownTime(locale, from)}, el firmante acepta aprobaciones de ${merchant} firmadas con esta passkey:\n\nDe: ${person}\nNombre: ${name}\nHuella: ${fingerprint}\n\nSi lo esperaba, no tiene que hacer nada. Si no, retire antes la confianza en la passkey, en la página de la política en ${url}/dashboard, y avise al operador del servicio.\n`,
  }),
}
