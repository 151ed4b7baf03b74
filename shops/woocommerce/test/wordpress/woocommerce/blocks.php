<?php

// Stand-ins for what the plugin uses of WooCommerce's namespaces, after the sources of 9.5.
declare(strict_types=1);

namespace Automattic\WooCommerce\Blocks\Payments\Integrations {
    abstract class AbstractPaymentMethodType
    {
        protected $name = '';
        protected $settings = [];

        protected function get_setting($name, $default = '')
        {
            return $this->settings[$name] ?? $default;
        }
        public function get_name()
        {
            return $this->name;
        }
        abstract public function initialize();
        public function is_active()
        {
            return true;
        }
        public function get_payment_method_script_handles()
        {
            return [];
        }
        public function get_payment_method_data()
        {
            return [];
        }
    }
}

namespace Automattic\WooCommerce\Utilities {
    class FeaturesUtil
    {
        /** @var list<string> */
        public static array $declared = [];

        public static function declare_compatibility(string $feature_id, string $plugin_file, bool $positive_compatibility = true): bool
        {
            if (!doing_action('before_woocommerce_init')) {
                return false;
            }
            self::$declared[] = $feature_id . ' ' . plugin_basename($plugin_file);
            return $positive_compatibility;
        }
    }
}
