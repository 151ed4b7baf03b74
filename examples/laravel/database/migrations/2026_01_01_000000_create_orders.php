<?php

use Illuminate\Database\Migrations\Migration;
use Illuminate\Database\Schema\Blueprint;
use Illuminate\Support\Facades\Schema;

return new class extends Migration
{
    public function up(): void
    {
        Schema::create('orders', function (Blueprint $table) {
            $table->uuid('id')->primary();
            $table->string('status');
            $table->uuid('invoice_id')->nullable()->unique();
            $table->timestamps();
        });
        Schema::create('handled_events', function (Blueprint $table) {
            $table->string('id')->primary();
        });
    }
};
