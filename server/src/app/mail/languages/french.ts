import type { Notice } from '../../../domain/notices.ts'
import { type MailTexts, sentence } from '../mail-words.ts'
import { type PolicyWords, policyMail } from '../policy-mail.ts'
import { shownTime } from '../shown-values.ts'

const locale = 'fr'

const notices: Record<Notice, string> = {
  password_changed: 'le mot de passe a été modifié, et vous avez été déconnecté partout ailleurs',
  password_reset: 'le mot de passe a été réinitialisé par un lien, et vous avez été déconnecté partout',
  totp_added: 'une application d’authentification a été configurée',
  totp_removed: 'l’application d’authentification a été retirée',
  passkey_added: 'une passkey a été ajoutée',
  passkey_removed: 'une passkey a été retirée',
  recovery_codes_made: 'de nouveaux codes de récupération ont été créés',
  recovery_code_used: 'un code de récupération a été utilisé',
  sign_in_slowed:
    'quelqu’un a saisi plusieurs fois des mots de passe ou des codes erronés et doit maintenant attendre entre deux essais',
}

const policy: PolicyWords = {
  subjects: {
    proposed: (merchant) => `${merchant} : un assouplissement des règles de versement réelles a été proposé`,
    agreed: (merchant) => `${merchant} : un assouplissement des règles de versement réelles a été approuvé`,
    applied: (merchant) => `${merchant} : les règles de versement réelles ont été assouplies`,
    withdrawn: (merchant) => `${merchant} : une modification des règles de versement réelles a été retirée`,
    superseded: (merchant) =>
      `${merchant} : une modification des règles de versement réelles a été remplacée et ne s’appliquera pas`,
  },
  rules: {
    maxPayout: 'Maximum par versement',
    maxDay: 'Maximum en 24 heures',
    onlyKnownDestinations: 'Uniquement des destinations connues',
    approvalsRequired: 'Personnes qui doivent approuver',
    coolingOffSeconds: 'Heures entre l’approbation et l’envoi',
    approval: 'Approbations signées par passkey',
  },
  values: { yes: 'oui', no: 'non', none: 'aucun' },
  destination: (place) => `Nouvelle destination autorisée : ${place}`,
  by: 'Par',
  service: 'le service lui-même',
  changes: 'La modification',
  takesEffect: 'S’applique',
  colon: ' : ',
  missing: (count) =>
    count === 1
      ? 'dès qu’une personne de plus l’aura approuvée et que le délai d’attente sera écoulé'
      : `dès que ${count} personnes de plus l’auront approuvée et que le délai d’attente sera écoulé`,
  stop: (url) =>
    `Si vous ne vous y attendiez pas, retirez la modification avant qu’elle ne s’applique, et parlez-en à la personne qui l’a proposée :\n${url}`,
  undo: (url) =>
    `Si vous ne vous y attendiez pas, durcissez à nouveau les règles, ce qui s’applique aussitôt :\n${url}`,
  look: (url) => `Les règles en vigueur : ${url}`,
}

export const french: MailTexts = {
  policyChange: (notice, url) => policyMail(policy, locale, notice, url),
  roles: {
    owner: 'propriétaire',
    admin: 'administrateur',
    finance: 'finance',
    developer: 'développeur',
    viewer: 'lecteur',
  },
  reset: (link) => ({
    subject: 'Nouveau mot de passe pour Sluice',
    text: `Quelqu’un a demandé un nouveau mot de passe pour votre compte. Si c’était vous, choisissez-le ici dans l’heure :\n\n${link}\n\nLe lien ne sert qu’une fois, et seul le plus récent est valable. Si ce n’était pas vous, vous pouvez ignorer cet e-mail.\n`,
  }),
  invitation: (link, merchant, role) => ({
    subject: `Invitation à rejoindre ${merchant}`,
    text: `Vous êtes invité à rejoindre ${merchant} dans Sluice. Votre rôle : ${role}. Acceptez l’invitation ici dans les sept jours :\n\n${link}\n\nLe lien ne sert qu’une fois, et seul le plus récent est valable. Si vous n’attendiez pas cette invitation, vous pouvez ignorer cet e-mail.\n`,
  }),
  notice: (notice, url) => ({
    subject: `Votre compte : ${notices[notice]}`,
    text: `${sentence(notices[notice])}.\n\nSi c’était vous, vous n’avez rien à faire. Sinon, choisissez un nouveau mot de passe sur ${url}/dashboard et prévenez l’opérateur du service.\n`,
  }),
  newDevice: ({ at, browser, ip }, url) => ({
    subject: 'Votre compte : connexion depuis un nouvel appareil',
    text: `Quelqu’un s’est connecté à votre compte depuis un appareil qui n’avait pas encore servi pour ce compte.\n\nQuand : ${shownTime(locale, at)}\nNavigateur : ${browser}\nAdresse IP : ${ip}\n\nSi c’était vous, vous n’avez rien à faire. Sinon, terminez toutes les autres sessions et choisissez un nouveau mot de passe sur ${url}/dashboard/account, et prévenez l’opérateur du service.\n`,
  }),
  passkeyWaits: ({ merchant, person, name, fingerprint, from }, url) => ({
    subject: `${merchant} : le signataire fera confiance à une autre passkey`,
    text: `À partir du ${shownTime(locale, from)}, le signataire accepte les approbations de ${merchant} signées par cette passkey :\n\nDe : ${person}\nNom : ${name}\nEmpreinte : ${fingerprint}\n\nSi vous vous y attendiez, vous n’avez rien à faire. Sinon, retirez avant cette date la confiance à la passkey, sur la page des règles sous ${url}/dashboard, et prévenez l’opérateur du service.\n`,
  }),
}
